import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ApiProblem } from "../api/client.ts";
import { type LiveEvent, onEvents } from "../api/events.ts";
import { serverNow } from "../clock.ts";
import { useResource } from "../api/resource.ts";
import type { Visit } from "../api/types.ts";
import { count, plural } from "../format/numbers.ts";

/** One line of the list: a visit, or a word about the watch as a whole. */
export type LiveEntry = { key: string; time: string; live: boolean } & (
  { kind: "visit"; visit: Visit } | { kind: "word"; text: string }
);

const SHOWN = 100;
const BUSY = 10;
let words = 0;

/** Counts of visits not told one by one, made one for the whole batch. */
function gatherSkipped(events: readonly LiveEvent[]): LiveEvent[] {
  const told = events.filter(({ kind }) => kind !== "skipped");
  const visits = events.reduce((sum, event) => (event.kind === "skipped" ? sum + event.data.visits : sum), 0);
  return visits > 0 ? [...told, { kind: "skipped", data: { visits } }] : told;
}

function entryOf(event: LiveEvent): LiveEntry | null {
  if (event.kind === "visit") {
    return { kind: "visit", key: `v${event.data.visit}`, time: event.data.time, live: true, visit: event.data };
  }
  const text = wordOf(event);
  return text === null
    ? null
    : { kind: "word", key: `w${words++}`, time: new Date(serverNow()).toISOString(), live: true, text };
}

function wordOf(event: Exclude<LiveEvent, { kind: "visit" }>): string | null {
  switch (event.kind) {
    case "cycle":
      return `cycle ${count(event.data.number)} with ${count(event.data.budget)} visits`;
    case "pages":
      return `pages: ${count(event.data.added)} added, ${count(event.data.changed)} changed`;
    case "skipped":
      return `and ${plural(event.data.visits, "more visit")} meanwhile`;
    case "lagged":
      return `${count(event.data.missed)} events were missed here: this reader was too slow`;
  }
}

function storedEntry(visit: Visit): LiveEntry {
  return { kind: "visit", key: `v${visit.visit}`, time: visit.time, live: false, visit };
}

function merge(live: readonly LiveEntry[], stored: readonly LiveEntry[]): LiveEntry[] {
  const seen = new Set(live.map(({ key }) => key));
  return [...live, ...stored.filter(({ key }) => !seen.has(key))]
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time))
    .slice(0, SHOWN);
}

export interface LiveList {
  entries: LiveEntry[] | null;
  problem: ApiProblem | null;
  paused: boolean;
  /** So many come at a time that marking each as new would only flicker. */
  busy: boolean;
  /** How many events came while paused. */
  waiting: number;
  toggle: () => void;
}

/** The newest visits: those of the store, then each as it happens. */
export function useLiveList(): LiveList {
  const stored = useResource<{ items: Visit[] }>("/activity?limit=100");
  const [live, setLive] = useState<LiveEntry[]>([]);
  const [busy, setBusy] = useState(false);
  const [frozen, setFrozen] = useState<LiveEntry[] | null>(null);

  useEffect(
    () =>
      onEvents((events) => {
        const arrived = gatherSkipped(events)
          .map(entryOf)
          .filter((entry) => entry !== null)
          .reverse();
        setBusy(arrived.length > BUSY);
        setLive((last) => [...arrived, ...last].slice(0, SHOWN));
      }),
    [],
  );

  const old = useMemo(() => stored.data?.items.map(storedEntry) ?? null, [stored.data]);
  const merged = useMemo(() => old && merge(live, old), [live, old]);
  const paused = frozen !== null;
  const toggle = useCallback(() => setFrozen(paused ? null : merged), [paused, merged]);
  const since = frozen === null || merged === null ? 0 : merged.findIndex(({ key }) => key === frozen[0]?.key);
  const waiting = since < 0 ? (merged?.length ?? 0) : since;
  return { entries: frozen ?? merged, problem: stored.problem, paused, busy, waiting, toggle };
}
