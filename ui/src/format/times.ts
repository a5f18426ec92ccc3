import { span } from "./numbers.ts";

const full = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const dateOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const DAY_MILLIS = 86_400_000;

/** Mon, 16 Nov 2026, 05:00:00 UTC */
export function absolute(time: string): string {
  return full.format(new Date(time));
}

/** 16 Nov, 05:00, or the date with its year where that is long ago. */
export function brief(time: string, now: number): string {
  const date = new Date(time);
  return Math.abs(now - date.getTime()) > 300 * DAY_MILLIS ? dateOnly.format(date) : short.format(date);
}

/** A mark on an axis or a readout, as exact as the stretch of time it stands in asks for. */
export function mark(seconds: number, stretchSeconds: number): string {
  const time = new Date(seconds * 1000).toISOString();
  return stretchSeconds < 900 ? clockTime(time) : brief(time, Date.now());
}

/** How long a row of moments is, in seconds. */
export function stretch(seconds: readonly number[]): number {
  return seconds.length < 2 ? 0 : Math.abs(seconds.at(-1)! - seconds[0]!);
}

/** 05:00:07, or the day too where that is not the last half day. */
export function logTime(time: string, now: number): string {
  return Math.abs(now - Date.parse(time)) < DAY_MILLIS / 2 ? clockTime(time) : brief(time, now);
}

/** 05:00:07 */
export function clockTime(time: string): string {
  return clock.format(new Date(time));
}

/** 3 minutes ago, in 2 hours; by `say` also 3 min ago. */
export function relative(time: string, now: number, say: (seconds: number) => string = span): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Math.abs(seconds) < 2) return "now";
  const text = say(Math.abs(seconds) < 60 ? Math.round(seconds) : seconds);
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}
