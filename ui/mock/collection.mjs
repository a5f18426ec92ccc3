// A made-up collection: sites, pages with rates of their own, and the visits of the last weeks.
import { generator } from "./random.mjs";
import { DAY, DAYS_A_DAY } from "./scale.mjs";

const SITES = [
  ["news.example.org", 60, 2.4],
  ["docs.example.com", 90, 0.08],
  ["shop.example.net", 70, 0.9],
  ["blog.example.org", 40, 0.3],
  ["status.example.com", 6, 12],
  ["law.example.edu", 50, 0.02],
  ["jobs.example.net", 45, 0.6],
  ["wiki.example.org", 80, 0.15],
  ["weather.example.com", 8, 24],
  ["museum.example.edu", 30, 0.01],
  ["forum.example.net", 55, 3.1],
  ["flaky.example.net", 12, 0.5],
];
const WORDS =
  "about archive budget calendar catalogue contact download events guide history index latest manual notes offers people prices questions releases reports research search services terms tickets topics updates".split(
    " ",
  );
const REASONS = [
  "connection timed out after 30 s",
  "status 503",
  "tls: certificate has expired",
  "dns: no address for this host",
  "body larger than 8 MiB",
];

const iso = (millis) => new Date(millis).toISOString();

function visitsOf(random, rate, flaky, now) {
  const days = random.between(8, 32);
  const gap = Math.min(6, Math.max(0.12, 0.7 / rate)) * DAY;
  const visits = [];
  let at = now - days * DAY;
  let last = null;
  while (at < now) {
    const unknown = random.next() < (flaky ? 0.4 : 0.015);
    const changed = last !== null && random.next() < -Math.expm1((-rate * (at - last)) / DAY);
    const outcome = unknown ? "unknown" : last === null ? "first" : changed ? "changed" : "unchanged";
    const reason = unknown ? random.pick(REASONS) : null;
    const status = unknown
      ? reason === "status 503"
        ? 503
        : 0
      : outcome === "unchanged" && random.next() < 0.6
        ? 304
        : 200;
    visits.push({
      time: iso(at),
      outcome,
      status,
      reason,
      bytes: status === 200 ? 2000 + random.whole(60_000) : 0,
      millis: 20 + random.whole(unknown ? 9000 : 400),
    });
    if (!unknown) last = at;
    at += gap * random.between(0.5, 1.6);
  }
  return visits.reverse();
}

/** Everything the mock knows; `visits` of a page are newest first. */
export function makeCollection(now) {
  const random = generator(20261116);
  const pages = [];
  for (const [site, number, rate] of SITES) {
    for (let index = 0; index < number; index++) {
      const own = rate * random.spread(0.2, 4);
      const url = `https://${site}/${random.pick(WORDS)}/${random.pick(WORDS)}${index === 0 ? "" : `-${index}`}`;
      const visits = visitsOf(random, own, site.startsWith("flaky"), now);
      const standing = random.next() < 0.04 ? random.pick(["paused", "gone", "removed"]) : "watched";
      pages.push({ id: pages.length + 1, url, site, standing, weight: random.next() < 0.1 ? 3 : 1, visits, rate: own });
    }
  }
  const all = pages.flatMap((page) => page.visits).sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
  all.forEach((visit, index) => (visit.visit = index + 1));
  return { now, pages, nextVisit: all.length + 1, cycle: 412, spent: 61, policiesRunUntil: 0 };
}

export function rowOf(page) {
  const first = page.visits.at(-1);
  const told = page.visits.filter(({ outcome }) => outcome !== "unknown");
  const changes = page.visits.filter(({ outcome }) => outcome === "changed");
  const failures = page.visits.length - told.length;
  const unseen = told[0] ? (Date.now() - Date.parse(told[0].time)) / DAY : 0;
  const known = told.length > 1;
  return {
    id: page.id,
    url: page.url,
    site: page.site,
    standing: page.standing,
    weight: page.weight,
    added: first?.time ?? iso(Date.now()),
    visits: page.visits.length,
    changes: changes.length,
    failures,
    last_visit: page.visits[0]?.time ?? null,
    last_outcome: page.visits[0]?.outcome ?? null,
    last_change: changes[0]?.time ?? null,
    rate_per_day: known ? page.rate * DAYS_A_DAY : null,
    freshness: known ? Math.exp(-page.rate * unseen) : null,
  };
}

/** One more visit to some page, as the watcher would report it. */
export function visitNow(collection, random) {
  const page = random.pick(collection.pages);
  const draw = random.next();
  const outcome = page.visits.length === 0 ? "first" : draw < 0.3 ? "changed" : draw < 0.93 ? "unchanged" : "unknown";
  const unknown = outcome === "unknown";
  const visit = {
    visit: collection.nextVisit++,
    time: new Date().toISOString(),
    outcome,
    status: unknown ? 0 : outcome === "unchanged" ? 304 : 200,
    reason: unknown ? random.pick(REASONS) : null,
    bytes: outcome === "changed" ? 2000 + random.whole(50_000) : 0,
    millis: 20 + random.whole(500),
  };
  page.visits.unshift(visit);
  collection.spent = (collection.spent + 1) % 84;
  return { page: page.id, url: page.url, site: page.site, ...visit };
}
