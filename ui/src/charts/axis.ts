import type uPlot from "uplot";
import { shortSpan } from "../format/numbers.ts";

const DAY = 86_400;
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const year = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric" });
const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const second = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Marks of a time axis: the clock, and the day below it where a day begins. */
export function timeMarks(_: uPlot, splits: number[], _axis: number, _space: number, step: number): string[] {
  let last = "";
  return splits.map((split) => {
    const date = new Date(split * 1000);
    if (step >= 28 * DAY) return year.format(date);
    const today = day.format(date);
    if (step >= DAY) return today;
    const time = (step < 60 ? second : minute).format(date);
    const mark = today === last ? time : `${time}\n${today}`;
    last = today;
    return mark;
  });
}

/** Marks of an axis of spans, in whatever unit fits. */
export function spanMarks(_: uPlot, splits: number[]): string[] {
  return splits.map((split) => shortSpan(split));
}

/** Steps of an axis of seconds that people count in. Fractions must be decimal: the library rounds others away. */
export const SECOND_STEPS: number[] = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200],
  ...[1, 2, 5, 10, 20, 50, 100, 200, 365.25, 730.5, 1826.25, 3652.5].map((days) => days * DAY),
];

/** Two lines only where a mark has two. */
export function xAxisSize(_: uPlot, marks: string[] | null): number {
  return marks?.some((mark) => mark.includes("\n")) ? 40 : 26;
}

/** Colours of the style sheet, for a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
