import type { JSX } from "preact";

/** Drawn on a grid of 20, in strokes of the text's colour. */
const PATHS = {
  overview: "M3 11.5 7.5 7l3.5 3.5L17 4.5M3 16.5h14",
  sites: "M3 5.5h14M3 10h14M3 14.5h14M5.5 5.5v0M8 3v5M12 7.5v5M7 12v5",
  pages: "M5.5 2.5h6l3.5 3.5v11.5h-9.5zM11.5 2.5V6H15M8 10h4.5M8 13h4.5",
  policies: "M4 16.5v-5M8 16.5V4.5M12 16.5V8M16 16.5v-9",
  activity: "M2.5 10h3.5l2-5.5 3.5 11 2-5.5h4",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1.8v1.7M10 16.5v1.7M1.8 10h1.7M16.5 10h1.7M4.2 4.2l1.2 1.2M14.6 14.6l1.2 1.2M4.2 15.8l1.2-1.2M14.6 5.4l1.2-1.2",
  moon: "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z",
  keys: "M2.5 5.5h15v9h-15zM5.5 8.5h0M8.5 8.5h0M11.5 8.5h0M14.5 8.5h0M6.5 11.5h7",
  close: "M5 5l10 10M15 5 5 15",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM13 13l4 4",
  outside: "M8 4.5H4.5v11h11V12M11.5 3.5h5v5M16.5 3.5 9.5 10.5",
  pause: "M7 4.5v11M13 4.5v11",
  play: "M6.5 4.5v11l8.5-5.5z",
  trash: "M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5",
  plus: "M10 4.5v11M4.5 10h11",
  again: "M16 6.5A7 7 0 1 0 17 10M16.5 3v4h-4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
