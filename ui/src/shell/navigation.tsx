import type { JSX } from "preact";
import { type LiveState, liveState } from "../api/events.ts";
import { Icon, type IconName } from "../components/icons.tsx";
import { Link } from "../router.tsx";
import { useStore } from "../store.ts";
import { theme, toggleTheme } from "../theme.ts";

const ENTRIES: readonly { path: string; name: string; icon: IconName }[] = [
  { path: "/", name: "Overview", icon: "overview" },
  { path: "/sites", name: "Sites", icon: "sites" },
  { path: "/pages", name: "Pages", icon: "pages" },
  { path: "/policies", name: "Policies", icon: "policies" },
  { path: "/activity", name: "Activity", icon: "activity" },
];

const LIVE_WORDS: Record<LiveState, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  asleep: "Asleep",
};

function isCurrent(entry: string, path: string): boolean {
  return entry === "/" ? path === "/" : path === entry || path.startsWith(`${entry}/`);
}

export function LiveMark(): JSX.Element {
  const state = useStore(liveState);
  return (
    <span class={`live live-${state}`} title="Whether events arrive from the server as they happen">
      <span class="live-dot" aria-hidden="true" />
      {LIVE_WORDS[state]}
    </span>
  );
}

function ThemeButton(): JSX.Element {
  const current = useStore(theme);
  const other = current === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={toggleTheme}
    >
      <Icon name={current === "dark" ? "sun" : "moon"} />
    </button>
  );
}

export function Navigation({ path, onHelp }: { path: string; onHelp: () => void }): JSX.Element {
  return (
    <>
      <header class="brand-bar">
        <Link to="/" class="brand">
          <img src="/icon.svg" alt="" width="26" height="26" />
          <span>Recrawl</span>
        </Link>
        <div class="brand-tools">
          <LiveMark />
          <button
            type="button"
            class="icon-button keys-button"
            aria-label="Show keys"
            title="Keys (?)"
            onClick={onHelp}
          >
            <Icon name="keys" />
          </button>
          <ThemeButton />
        </div>
      </header>
      <nav aria-label="Main">
        <ul>
          {ENTRIES.map((entry) => (
            <li key={entry.path}>
              <Link to={entry.path} aria-current={isCurrent(entry.path, path) ? "page" : undefined}>
                <Icon name={entry.icon} />
                <span>{entry.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
