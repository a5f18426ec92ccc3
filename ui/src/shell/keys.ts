import { useEffect, useState } from "preact/hooks";
import { go } from "../router.tsx";

/** What `g` and a letter lead to. */
export const DESTINATIONS: readonly { key: string; path: string; name: string }[] = [
  { key: "o", path: "/", name: "Overview" },
  { key: "s", path: "/sites", name: "Sites" },
  { key: "p", path: "/pages", name: "Pages" },
  { key: "l", path: "/policies", name: "Policies" },
  { key: "a", path: "/activity", name: "Activity" },
];

const SECOND_KEY_MILLIS = 1500;

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>("input[type=search]");
  if (search) {
    search.focus();
    search.select();
    return;
  }
  go("/pages");
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>("input[type=search]")?.focus()),
  );
}

/** Listens for the keys of the whole dashboard; tells whether the list of keys is shown. */
export function useKeys(): { shown: boolean; open: () => void; close: () => void } {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    let goingSince = -Infinity;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const going = event.timeStamp - goingSince < SECOND_KEY_MILLIS;
      goingSince = -Infinity;
      if (going) {
        const destination = DESTINATIONS.find(({ key }) => key === event.key);
        if (destination) {
          event.preventDefault();
          go(destination.path);
          return;
        }
      }
      if (event.key === "g") goingSince = event.timeStamp;
      else if (event.key === "/") {
        event.preventDefault();
        focusSearch();
      } else if (event.key === "?") setShown(true);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return { shown, open: () => setShown(true), close: () => setShown(false) };
}
