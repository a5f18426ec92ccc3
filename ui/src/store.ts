import { useEffect, useState } from "preact/hooks";

/** A value that components follow. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: (value: Value) => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<(value: Value) => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    setValue(() => store.get()); // it may have moved between render and effect
    return store.subscribe((next) => setValue(() => next));
  }, [store]);
  return value;
}
