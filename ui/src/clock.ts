import { get, session } from "./api/client.ts";
import { onEvents } from "./api/events.ts";
import type { Visit } from "./api/types.ts";
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

/** What has happened is not ahead. */
function notBefore(visits: readonly Visit[]): void {
  const latest = Math.max(...visits.map(({ time }) => Date.parse(time)));
  if (latest > serverNow()) learn(latest);
}

/** Follows the server's clock by what happens there, beginning with what happened last. */
export function startClock(): void {
  onEvents((events) => notBefore(events.flatMap((event) => (event.kind === "visit" ? [event.data] : []))));
  const ask = (): void => {
    get<{ items: Visit[] }>("/activity?limit=1").then(
      ({ items }) => notBefore(items),
      () => undefined, // the screen says what fails; until then this clock is as good as any
    );
  };
  ask();
  session.subscribe(({ tokenWanted }) => !tokenWanted && ask());
}

/** The same for what is drawn, moving every few seconds: enough for "3 minutes ago". */
export function useNow(): number {
  return useStore(now);
}
