import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { asProblem } from "../api/client.ts";
import { createStore, useStore } from "../store.ts";
import { Icon } from "../components/icons.tsx";

interface Notice {
  text: string;
  bad: boolean;
}

const SHOWN_MILLIS = 6000;
const notice = createStore<Notice | null>(null);

/** Says briefly what an action did. */
export function tell(text: string): void {
  notice.set({ text, bad: false });
}

/** Says what an action failed with. */
export function tellProblem(error: unknown): void {
  const problem = asProblem(error);
  notice.set({ text: [problem.detail ?? problem.title, problem.hint].filter(Boolean).join(". "), bad: true });
}

export function Notices(): JSX.Element {
  const current = useStore(notice);
  useEffect(() => {
    if (current === null || current.bad) return;
    const timer = setTimeout(() => notice.set(null), SHOWN_MILLIS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="notices" role="status" aria-live="polite">
      {current && (
        <p class={current.bad ? "notice notice-bad" : "notice"}>
          <span>{current.text}</span>
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => notice.set(null)}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
