import { createStore } from "../store.ts";
import { send, session } from "./client.ts";
import { reloadEverything } from "./resource.ts";
import type { Visit } from "./types.ts";

export type LiveState = "connecting" | "live" | "reconnecting" | "asleep";

/** How the stream of events stands. One connection serves the whole dashboard. */
export const liveState = createStore<LiveState>("connecting");

export type LiveEvent =
  | { kind: "visit"; data: Visit }
  | { kind: "cycle"; data: { number: number; began: string; budget: number; spent: number } }
  | { kind: "pages"; data: { added: number; changed: number } }
  | { kind: "skipped"; data: { visits: number } }
  | { kind: "lagged"; data: { missed: number } };

const KINDS = new Set(["visit", "cycle", "pages", "skipped", "lagged"]);
const FIRST_WAIT_MILLIS = 500;
const LONGEST_WAIT_MILLIS = 15_000;
/** A hidden tab gives its connection back: browsers allow only six to a host. */
const HIDDEN_MILLIS = 30_000;
/** Servers may send hundreds of visits a second; the screen is drawn a few times a second, and less often then. */
const BATCH_MILLIS = 250;
const BUSY_BATCH_MILLIS = 1000;
const BUSY_BATCH = 20;

const listeners = new Set<(events: LiveEvent[]) => void>();
let waiting: LiveEvent[] = [];
let pause = BATCH_MILLIS;

/** Hears events in batches. */
export function onEvents(listener: (events: LiveEvent[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function deliver(event: LiveEvent): void {
  waiting.push(event);
  if (waiting.length > 1) return;
  setTimeout(() => {
    const batch = waiting;
    waiting = [];
    pause = batch.length > BUSY_BATCH ? BUSY_BATCH_MILLIS : BATCH_MILLIS;
    for (const listener of [...listeners]) listener(batch);
  }, pause);
}

/** Reads one block of a text/event-stream; null for comments and kinds not known here. */
export function parseEvent(block: string): LiveEvent | null {
  let kind = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) kind = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  if (!KINDS.has(kind) || data.length === 0) return null;
  try {
    return { kind, data: JSON.parse(data.join("\n")) } as LiveEvent;
  } catch {
    return null;
  }
}

async function read(signal: AbortSignal, opened: () => void): Promise<void> {
  const response = await send("GET", "/events", { signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  opened();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest = (rest + value).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) deliver(event);
    }
  }
}

let connection: AbortController | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
let wait = FIRST_WAIT_MILLIS;
let missing = false;

function connect(): void {
  connection?.abort();
  clearTimeout(retry);
  const own = new AbortController();
  connection = own;
  const opened = (): void => {
    wait = FIRST_WAIT_MILLIS;
    // What happened while there was no connection is in the store.
    if (missing) reloadEverything();
    missing = false;
    liveState.set("live");
  };
  const again = (): void => {
    if (own.signal.aborted) return;
    missing = true;
    if (session.get().tokenWanted) return liveState.set("connecting"); // a token given connects
    liveState.set("reconnecting");
    retry = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT_MILLIS);
  };
  read(own.signal, opened).then(again, again);
}

/** Connects, and stays connected while the tab is seen. */
export function startEvents(): void {
  let hidden: ReturnType<typeof setTimeout> | undefined;
  connect();
  session.subscribe(({ tokenWanted }) => {
    if (!tokenWanted) connect();
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hidden);
    if (document.hidden) {
      hidden = setTimeout(() => {
        connection?.abort();
        clearTimeout(retry);
        missing = true;
        liveState.set("asleep");
      }, HIDDEN_MILLIS);
    } else if (liveState.get() === "asleep") {
      liveState.set("connecting");
      connect();
    }
  });
  addEventListener("pagehide", () => connection?.abort());
}
