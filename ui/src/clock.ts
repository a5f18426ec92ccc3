import { createStore, useStore } from "./store.ts";

const TICK_MILLIS = 5_000;
const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), TICK_MILLIS);

/** The time in milliseconds, moving every few seconds: enough for "3 minutes ago". */
export function useNow(): number {
  return useStore(now);
}
