import type { ComponentChildren, JSX } from "preact";
import { createStore, useStore } from "./store.ts";

export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

const place = createStore(here());

addEventListener("popstate", () => place.set(here()));

export function usePlace(): Place {
  return useStore(place);
}

export function go(address: string, options: { replace?: boolean } = {}): void {
  const before = location.pathname;
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.set(here());
  if (location.pathname !== before) {
    scrollTo(0, 0);
    // A screen reader should start at what is new, not at the link that is gone.
    requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true }));
  }
}

/** Changes parameters of the query in place; null takes one away. */
export function changeQuery(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(location.pathname + (text === "" ? "" : `?${text}`), { replace: true });
}

interface LinkProps {
  to: string;
  class?: string;
  title?: string;
  "aria-current"?: "page" | undefined;
  children: ComponentChildren;
}

/** A link within the dashboard. Modified clicks stay the browser's. */
export function Link({ to, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}
