import { onEvents } from "./api/events.ts";
import { createStore, useStore } from "./store.ts";

const TICK_MILLIS = 5_000;

/**
 * By how much the server's clock is ahead of this one. A browser's clock may be wrong, and that of
 * `recrawl demo` runs through a day in a second.
 */
let aheadMillis = 0;

/** The server's time in milliseconds. */
export const serverNow = (): number => Date.now() + aheadMillis;

const now = createStore(serverNow());
setInterval(() => now.set(serverNow()), TICK_MILLIS);

function learn(serverMillis: number): void {
  aheadMillis = serverMillis - Date.now();
  now.set(serverMillis);
}

/** Takes the server's word for what time it is. */
export function setClock(time: string): void {
  learn(Date.parse(time));
}

onEvents((events) => {
  const times = events.flatMap((event) => (event.kind === "visit" ? [Date.parse(event.data.time)] : []));
  const latest = Math.max(...times);
  if (latest > serverNow()) learn(latest); // what has happened is not ahead
});

/** The same for what is drawn, moving every few seconds: enough for "3 minutes ago". */
export function useNow(): number {
  return useStore(now);
}
