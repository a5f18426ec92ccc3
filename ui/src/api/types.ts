/** The shapes of the JSON API, version 1. Times are RFC 3339 strings. */

export type Time = string;
export type Outcome = "first" | "changed" | "unchanged" | "unknown";
export type Standing = "watched" | "paused" | "gone" | "removed";

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface List<Item> {
  items: Item[];
  next: string | null;
  total: number;
}

export interface SeriesPoint {
  time: Time;
  freshness: number;
  low: number;
  high: number;
  age_seconds: number;
}

export interface ActivityBucket {
  time: Time;
  visits: number;
  changed: number;
  unknown: number;
}

export interface CurrentCycle {
  number: number;
  began: Time;
  ends: Time;
  length_seconds: number;
  budget: number;
  spent: number;
  left: number;
}

export interface ForecastRow {
  share: number;
  budget: number;
  changes: number;
  freshness: number;
  age_seconds: number | null;
}

export interface Forecast {
  per_seconds: number;
  objective: string;
  rows: ForecastRow[];
}

export interface DueVisit {
  page: number;
  url: string;
  site: string;
  score: number | null;
  meaning: string;
}

export interface Overview {
  now: Time;
  as_of: Time;
  mode: "watch" | "serve";
  policy: string | null;
  pages: { watched: number; paused: number; gone: number; removed: number };
  sites: number;
  freshness: Interval | null;
  age_seconds: Interval | null;
  undetected_changes: Interval | null;
  series: SeriesPoint[];
  activity: ActivityBucket[];
  cycle: CurrentCycle | null;
  totals: { visits: number; first: number; changed: number; unchanged: number; unknown: number };
  forecast: Forecast | null;
  due: DueVisit[];
}

export interface PageRow {
  id: number;
  url: string;
  site: string;
  standing: Standing;
  weight: number;
  added: Time;
  visits: number;
  changes: number;
  /** Visits that failed, in all. */
  failures: number;
  last_visit: Time | null;
  last_outcome: Outcome | null;
  last_change: Time | null;
  rate_per_day: number | null;
  freshness: number | null;
}

export interface PageDetail extends PageRow {
  held: { at: Time; etag: string | null; last_modified: string | null; location: string | null } | null;
}

export interface PastVisit {
  time: Time;
  outcome: Outcome;
  status: number;
  reason: string | null;
  bytes: number;
  millis: number;
}

export interface Visit extends PastVisit {
  visit: number;
  page: number;
  url: string;
  site: string;
}

export interface MethodEstimate {
  method: string;
  rate_per_day: number | null;
  low: number | null;
  high: number | null;
  note: string | null;
}

export interface Estimates {
  items: MethodEstimate[];
  over_time: { time: Time; rate_per_day: number; low: number | null; high: number | null }[];
  over_time_method: string;
}

export interface Distribution {
  method: string;
  points: { days: number; probability: number }[];
  note: string | null;
}

export interface Explanation {
  /** None where it is beyond all bounds. */
  value: number | null;
  meaning: string;
  because: Explanation[];
}

export interface NextVisit {
  page: number;
  at: Time;
  next_visit: { place: number | null; time: Time | null; note: string };
  why: Explanation | null;
}

export interface Version {
  at: Time;
  content_type: string | null;
  bytes: number;
}

export interface DiffLine {
  kind: "same" | "added" | "removed" | "skipped";
  text: string;
}

export interface Diff {
  from: Time | null;
  to: Time | null;
  lines: DiffLine[];
  note: string | null;
}

export interface SiteRow {
  site: string;
  pages: number;
  visits: number;
  changes: number;
  errors: number;
  share_changed: number | null;
  rate_per_day: number | null;
  budget_share: number;
  freshness: number | null;
  undetected_changes: number | null;
}

export interface Cycle {
  number: number;
  began: Time;
  length_seconds: number;
  budget: number;
  spent: number;
  visits: number;
  first: number;
  changed: number;
  unchanged: number;
  unknown: number;
  change_ratio: number | null;
}

export interface ErrorGroup {
  reason: string;
  count: number;
  first: Time;
  last: Time;
  example: { page: number; url: string };
}

export interface PolicyResult {
  policy: string;
  change_ratio: number;
  /** Half of the 95 % interval. */
  change_ratio_error: number | null;
  /** Share of all changes. */
  changes_caught: number | null;
  freshness: number | null;
  age_seconds: number | null;
}

export interface Policies {
  status: "ready" | "computing" | "too_little" | "failed";
  note: string | null;
  as_of: Time | null;
  start: Time | null;
  end: Time | null;
  cycle_seconds: number | null;
  cycles: number | null;
  budget: number | null;
  pages: number | null;
  runs: number | null;
  results: PolicyResult[];
}

export interface AddedPages {
  added: number;
  back: number;
  known: number;
  pages: { id: number; url: string }[];
}
