// Answers about one page.
import { DAY, DAYS_A_DAY } from "./scale.mjs";

export function estimates(page) {
  const rate = page.rate * DAYS_A_DAY;
  if (page.visits.length < 2) return { items: [], over_time: [], over_time_method: "gamma" };
  const row = (method, factor, spread, note = null) => ({
    method,
    rate_per_day: rate * factor,
    low: (rate * factor) / spread,
    high: rate * factor * spread,
    note,
  });
  const visits = [...page.visits].reverse().slice(1);
  return {
    items: [
      row("gamma", 1, 1.3),
      row("naive", 0.82, 1.25, "counts at most one change an interval"),
      row("cho", 0.97, 1.32),
      row("mle", 1.02, 1.34),
      row("matloff", 0.99, 1.4),
      {
        method: "last-modified",
        rate_per_day: null,
        low: null,
        high: null,
        note: "the log holds no Last-Modified for this page",
      },
    ],
    over_time: visits.map(({ time }, index) => {
      const value = rate * (1 + Math.sin(index * 1.3) / (index + 2));
      const spread = 1 + 2 / Math.sqrt(index + 1);
      return { time, rate_per_day: value, low: value / spread, high: value * spread };
    }),
    over_time_method: "gamma",
  };
}

export function distribution(page) {
  if (page.visits.filter(({ outcome }) => outcome === "changed").length < 2) {
    return { method: "ml", points: [], note: "fewer than two changes were seen" };
  }
  const points = Array.from({ length: 60 }, (_, index) => {
    const days = ((index + 1) / 60) * (3.2 / page.rate / DAYS_A_DAY);
    return { days, probability: -Math.expm1(-page.rate * DAYS_A_DAY * days) };
  });
  return { method: "ml", points: [{ days: 0, probability: 0 }, ...points], note: null };
}

export function next(page, at) {
  const when = at ?? new Date().toISOString();
  const told = page.visits.filter(({ outcome, time }) => outcome !== "unknown" && Date.parse(time) < Date.parse(when));
  const days = told[0] ? (Date.parse(when) - Date.parse(told[0].time)) / DAY : 0;
  const changed = -Math.expm1(-page.rate * days);
  const leaf = (value, meaning) => ({ value, meaning, because: [] });
  return {
    page: page.id,
    at: when,
    next_visit: at
      ? { place: 3, time: at, note: "as the policy ranked it then" }
      : {
          place: 17,
          time: new Date(Date.now() + DAY / 16).toISOString(),
          note: "at the pace of the budget, if nothing is learned meanwhile",
        },
    why: {
      value: page.weight * changed,
      meaning: "claim to a visit = importance x P(changed since it was seen)",
      because: [
        leaf(page.weight, "importance"),
        {
          value: changed,
          meaning: "P(changed) = 1 - exp(-rate x days unseen)",
          because: [
            leaf(days, "busy days since it was seen"),
            {
              value: page.rate,
              meaning: "changes a busy day, as believed",
              because: [
                leaf(told.filter(({ outcome }) => outcome === "changed").length, "changes its own visits saw"),
                leaf(told.length, "busy days its own visits count for"),
                {
                  value: page.rate * 1.1,
                  meaning: "changes a busy day of a page of its site",
                  because: [leaf(812, "visits of the site"), leaf(1.7, "how alike its pages are")],
                },
              ],
            },
          ],
        },
      ],
    },
  };
}

export function versions(page) {
  const held = page.visits.filter(({ outcome }) => outcome === "changed" || outcome === "first").slice(0, 2);
  return { items: held.map(({ time, bytes }) => ({ at: time, content_type: "text/html; charset=utf-8", bytes })) };
}

export function diff(page) {
  const [to, from] = versions(page).items;
  if (!to || !from) return { from: null, to: null, lines: [], note: "fewer than two versions are held" };
  const line = (kind, text) => ({ kind, text });
  return {
    from: from.at,
    to: to.at,
    note: null,
    lines: [
      line("skipped", "14 lines alike"),
      line("same", "Opening hours"),
      line("removed", "Monday to Friday, 9 to 17"),
      line("added", "Monday to Friday, 10 to 18"),
      line("added", "Saturday, 10 to 14"),
      line("same", "Tickets are sold at the desk and <b>online</b>."),
      line("removed", "A ticket costs 12 euro."),
      line(
        "added",
        "A ticket costs 14 euro; students and groups of ten or more pay 9 euro, on weekdays before noon only, as long as there are tickets left.",
      ),
      line("same", "Children under six come in free."),
      line("skipped", "31 lines alike"),
    ],
  };
}
