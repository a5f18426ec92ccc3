const DASH = "–";
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365.25 * DAY;

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

const NARROW_SPACE = "\u202f";

/** 12,345 */
export function count(value: number | null): string {
  return value === null ? DASH : whole.format(value);
}

/** 12.3K above ten thousand, else in full. */
export function shortCount(value: number | null): string {
  if (value === null) return DASH;
  return Math.abs(value) < 10_000 ? decimal(value) : compact.format(value);
}

/** At most four significant digits, none that say nothing. */
export function decimal(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return DASH;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) return value.toExponential(2);
  if (size >= 1000) return whole.format(value);
  return new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }).format(value);
}

/** 93.1 %; more digits near 0 and 100, where they matter, and never 100 for what is less. */
export function percent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return DASH;
  const value = share * 100;
  if (value === 0 || value === 100) return value + NARROW_SPACE + "%";
  if (value > 0 && value < 0.01) return "<" + NARROW_SPACE + "0.01" + NARROW_SPACE + "%";
  if (value > 99.99 && value < 100) return ">" + NARROW_SPACE + "99.99" + NARROW_SPACE + "%";
  const room = Math.min(Math.abs(value), Math.abs(100 - value));
  return value.toFixed(room < 1 ? 2 : 1) + NARROW_SPACE + "%";
}

/** Percent for the marks of an axis: only the digits a mark has. */
export function markPercent(share: number): string {
  return Number((share * 100).toFixed(3)) + NARROW_SPACE + "%";
}

/** 89.4 – 93.1 %: the unit once, where both have the same. */
export function range(low: string, high: string): string {
  const unit = /\s\D+$/u;
  const [one, other] = [unit.exec(low)?.[0], unit.exec(high)?.[0]];
  return `${one !== undefined && one === other ? low.slice(0, -one.length) : low} – ${high}`;
}

/** The share of a bar: whole percent. */
export function roughPercent(share: number | null): string {
  return share === null ? DASH : Math.round(share * 100) + NARROW_SPACE + "%";
}

const SPANS: [number, string, string][] = [
  [YEAR, "year", "years"],
  [DAY, "day", "days"],
  [HOUR, "hour", "hours"],
  [MINUTE, "minute", "minutes"],
  [1, "second", "seconds"],
];

function twoDigits(value: number): string {
  return value >= 10 ? whole.format(value) : String(Number(value.toFixed(1)));
}

/** 3.2 days */
export function span(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return DASH;
  const size = Math.abs(seconds);
  if (size < 1) return size === 0 ? "0 seconds" : `${Math.max(1, Math.round(size * 1000))} ms`;
  for (const [unit, one, many] of SPANS) {
    // 36 hours read better than 1.5 days, and 23.9 hours must not become 24.
    if (size < unit * (unit === DAY ? 1.5 : unit === YEAR ? 2 : 1)) continue;
    const text = twoDigits(size / unit);
    return `${text} ${text === "1" ? one : many}`;
  }
  return `${twoDigits(size)} seconds`;
}

/** 3.2 d, for narrow places. */
export function shortSpan(seconds: number | null): string {
  if (seconds === 0) return "0";
  const text = span(seconds);
  return text.replace(/ (year|day|hour|minute|second)s?$/, (_, unit: string) => {
    return NARROW_SPACE + (unit === "minute" ? "min" : unit === "year" ? "yr" : unit[0]);
  });
}

/** How often, for a period that is set: a day, every 6 hours. */
export function per(seconds: number): string {
  if (seconds === HOUR) return "an hour";
  if (seconds === DAY) return "a day";
  if (seconds === 7 * DAY) return "a week";
  return `every ${span(seconds).replace(/^1 /, "")}`;
}

/** A rate as people say it: every 3.2 days. */
export function everyRate(perDay: number | null): string {
  if (perDay === null) return DASH;
  if (perDay <= 0) return "no change seen";
  const seconds = DAY / perDay;
  if (seconds > 100 * YEAR) return "hardly ever";
  return `every ${span(seconds).replace(/^1 /, "")}`;
}

/** The number behind [`everyRate`]. */
export function perDay(rate: number | null): string {
  return rate === null ? "not known" : `${decimal(rate)} changes a day`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${twoDigits(value / 1e3)} kB`;
  if (value < 1e9) return `${twoDigits(value / 1e6)} MB`;
  return `${twoDigits(value / 1e9)} GB`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
