// Answers about the collection as a whole.
import { rowOf } from "./collection.mjs";
import { generator } from "./random.mjs";
import { DAY, DAYS_A_DAY } from "./scale.mjs";

const iso = (millis) => new Date(millis).toISOString();
const mean = (numbers) =>
  numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

function outcomes(visits) {
  const totals = { visits: visits.length, first: 0, changed: 0, unchanged: 0, unknown: 0 };
  for (const { outcome } of visits) totals[outcome]++;
  return totals;
}

function seriesOf(now) {
  const random = generator(7);
  return Array.from({ length: 120 }, (_, index) => {
    const learned = 1 - Math.exp(-index / 30);
    const freshness = 0.62 + 0.29 * learned + 0.012 * Math.sin(index / 3.8) + random.between(-0.006, 0.006);
    const wide = 0.07 - 0.05 * learned;
    return {
      time: iso(now - (119 - index) * DAY * 0.25),
      freshness,
      low: freshness - wide,
      high: freshness + wide,
      age_seconds: (DAY / 1000) * (0.9 - 0.62 * learned + random.between(-0.02, 0.02)),
    };
  });
}

function activityOf(visits, now) {
  const buckets = Array.from({ length: 60 }, (_, index) => ({
    time: iso(now - (60 - index) * DAY * 0.5),
    visits: 0,
    changed: 0,
    unknown: 0,
  }));
  for (const { time, outcome } of visits) {
    const bucket = buckets[59 - Math.floor((now - Date.parse(time)) / (DAY * 0.5))];
    if (!bucket) continue;
    bucket.visits++;
    if (outcome === "changed" || outcome === "unknown") bucket[outcome]++;
  }
  return buckets;
}

const interval = (value, spread) => ({ value, low: value * (1 - spread), high: value * (1 + spread) });

export function overview(collection) {
  const now = Date.now();
  const { pages } = collection;
  const visits = pages.flatMap((page) => page.visits);
  const standing = { watched: 0, paused: 0, gone: 0, removed: 0 };
  for (const page of pages) standing[page.standing]++;
  const empty = pages.length === 0;
  const rows = pages.map(rowOf);
  const due = rows
    .filter((row) => row.freshness !== null && row.standing === "watched")
    .sort((one, other) => one.freshness - other.freshness);
  return {
    now: iso(now),
    as_of: iso(now),
    mode: "watch",
    policy: "bayes",
    pages: standing,
    sites: new Set(pages.map(({ site }) => site)).size,
    freshness: empty ? null : { value: 0.913, low: 0.894, high: 0.931 },
    age_seconds: empty ? null : interval((DAY / 1000) * 0.281, 0.18),
    undetected_changes: empty ? null : interval(71.4, 0.21),
    series: empty ? [] : seriesOf(now),
    activity: empty ? [] : activityOf(visits, now),
    cycle: empty
      ? null
      : {
          number: collection.cycle,
          began: iso(now - DAY * 0.023),
          ends: iso(now + DAY * 0.0187),
          length_seconds: DAY / 24_000,
          budget: 84,
          spent: collection.spent,
          left: 84 - collection.spent,
        },
    totals: outcomes(visits),
    forecast: empty
      ? null
      : {
          per_seconds: DAY / 1000,
          objective: "changes",
          rows: [
            { share: 0.9, budget: 1800, changes: 431.2, freshness: 0.897, age_seconds: DAY * 0.000325 },
            { share: 1, budget: 2000, changes: 452.8, freshness: 0.913, age_seconds: DAY * 0.000281 },
            { share: 1.1, budget: 2200, changes: 469.9, freshness: 0.926, age_seconds: DAY * 0.000243 },
          ],
        },
    due: due.slice(0, 10).map((row) => ({
      page: row.id,
      url: row.url,
      site: row.site,
      score: row.weight * (1 - row.freshness),
      meaning: "importance x P(changed since it was seen)",
    })),
  };
}

export function sites(collection) {
  const groups = groupBy(collection.pages, ({ site }) => site);
  const all = collection.pages.reduce((sum, page) => sum + page.visits.length, 0);
  return [...groups].map(([site, pages]) => {
    const totals = outcomes(pages.flatMap((page) => page.visits));
    const told = totals.changed + totals.unchanged;
    return {
      site,
      pages: pages.length,
      visits: totals.visits,
      changes: totals.changed,
      errors: totals.unknown,
      share_changed: told > 0 ? totals.changed / told : null,
      rate_per_day: mean(pages.map(({ rate }) => rate * DAYS_A_DAY)),
      budget_share: totals.visits / all,
      freshness: mean(pages.map((page) => rowOf(page).freshness).filter((value) => value !== null)),
      undetected_changes: pages.length * 0.13,
    };
  });
}

export function cycles(collection) {
  const random = generator(11);
  const number = collection.pages.length === 0 ? 0 : 72;
  return Array.from({ length: number }, (_, index) => {
    const visits = 80 + random.whole(5);
    const changed = Math.round(visits * (0.34 - 0.001 * index + random.between(-0.05, 0.05)));
    return {
      number: collection.cycle - index,
      began: iso(Date.now() - (index * DAY) / 24),
      length_seconds: DAY / 24_000,
      budget: 84,
      spent: visits,
      visits,
      first: 0,
      changed,
      unchanged: visits - changed - 1,
      unknown: 1,
      change_ratio: changed / visits,
    };
  });
}

export function errors(collection) {
  const failed = collection.pages.flatMap((page) =>
    page.visits.filter(({ outcome }) => outcome === "unknown").map((visit) => ({ page, visit })),
  );
  return [...groupBy(failed, ({ visit }) => visit.reason)]
    .map(([reason, group]) => {
      const times = group.map(({ visit }) => visit.time).sort();
      return {
        reason,
        count: group.length,
        first: times[0],
        last: times.at(-1),
        example: { page: group[0].page.id, url: group[0].page.url },
      };
    })
    .sort((one, other) => other.count - one.count);
}

export function activity(collection, limit) {
  return collection.pages
    .flatMap((page) =>
      page.visits.slice(0, limit).map((visit) => ({ page: page.id, url: page.url, site: page.site, ...visit })),
    )
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time))
    .slice(0, limit);
}

export function policies(collection) {
  const computing = Date.now() < collection.policiesRunUntil;
  const setting = {
    note: null,
    as_of: iso(Date.now() - 400_000),
    start: iso(Date.now() - 30 * DAY),
    end: iso(Date.now()),
    cycle_seconds: DAY / 24_000,
    cycles: 720,
    budget: 84,
    pages: collection.pages.length,
    runs: 8,
  };
  if (collection.pages.length === 0) {
    return {
      status: "too_little",
      note: "no page has been visited twice",
      as_of: null,
      start: null,
      end: null,
      cycle_seconds: null,
      cycles: null,
      budget: null,
      pages: null,
      runs: null,
      results: [],
    };
  }
  const names = [
    ["bayes", 0.331],
    ["greedy", 0.287],
    ["adaptive", 0.262],
    ["nutch", 0.231],
    ["proportional", 0.224],
    ["miniflux", 0.207],
    ["stormcrawler", 0.198],
    ["round-robin", 0.164],
    ["random", 0.161],
  ];
  return {
    status: computing ? "computing" : "ready",
    ...setting,
    results: names.map(([policy, ratio], index) => ({
      policy,
      change_ratio: ratio,
      change_ratio_error: 0.004 + 0.001 * index,
      changes_caught: ratio * 1.9,
      freshness: 0.55 + ratio,
      age_seconds: (DAY * 7.7e-5) / ratio,
    })),
  };
}
