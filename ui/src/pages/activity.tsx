import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { onEvents } from "../api/events.ts";
import { reloadEverything, useResource } from "../api/resource.ts";
import type { ErrorGroup } from "../api/types.ts";
import { Icon } from "../components/icons.tsx";
import { PageHead, Panel } from "../components/panel.tsx";
import { Empty, Problem, Show, Skeleton } from "../components/states.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Ago, PageLink } from "../components/values.tsx";
import { count, plural } from "../format/numbers.ts";
import { LiveMark } from "../shell/navigation.tsx";
import { LiveLine } from "./live-line.tsx";
import { useLiveList } from "./live-list.ts";

/** Errors come in bursts; their groups are asked for at most this often. */
const ERRORS_REFRESH_MILLIS = 5_000;

const ERROR_COLUMNS: readonly Column<ErrorGroup>[] = [
  { name: "Reason", main: true, cell: (row) => row.reason },
  { name: "Visits", number: true, cell: (row) => count(row.count) },
  { name: "First", cell: (row) => <Ago time={row.first} /> },
  { name: "Last", cell: (row) => <Ago time={row.last} /> },
  { name: "For example", long: true, cell: (row) => <PageLink id={row.example.page} url={row.example.url} /> },
];

function ErrorsPanel(): JSX.Element {
  const errors = useResource<{ items: ErrorGroup[] }>("/errors");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvents((events) => {
      if (!events.some((event) => event.kind === "visit" && event.data.outcome === "unknown")) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        errors.reload();
      }, ERRORS_REFRESH_MILLIS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [errors.reload]);
  const total = errors.data?.items.reduce((sum, group) => sum + group.count, 0) ?? 0;
  return (
    <Panel
      title="Errors, grouped"
      aside={total > 0 && <span class="quiet">{plural(total, "visit")} told nothing</span>}
    >
      <Show resource={errors} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No errors">
              <p>Every visit could tell whether its page had changed.</p>
            </Empty>
          ) : (
            <Table label="Errors, grouped" columns={ERROR_COLUMNS} rows={items} keyOf={(row) => row.reason} />
          )
        }
      </Show>
    </Panel>
  );
}

export function ActivityPage(): JSX.Element {
  const list = useLiveList();
  const pauseName = list.paused ? (list.waiting > 0 ? `Resume (${count(list.waiting)} new)` : "Resume") : "Pause";
  return (
    <>
      <PageHead title="Activity" lead="Visits as they happen, and what went wrong." />
      <div class="stack">
        <Panel
          title="Visits"
          aside={
            <div class="live-tools" role="status">
              {list.paused ? (
                <span class="live live-paused">
                  <span class="live-dot" aria-hidden="true" />
                  Paused
                </span>
              ) : (
                <LiveMark />
              )}
              <button type="button" onClick={list.toggle} aria-pressed={list.paused}>
                <Icon name={list.paused ? "play" : "pause"} /> {pauseName}
              </button>
            </div>
          }
        >
          {list.problem && <Problem problem={list.problem} retry={reloadEverything} />}
          {list.entries === null ? (
            !list.problem && (
              <div class="events">
                <Skeleton lines={8} />
              </div>
            )
          ) : list.entries.length === 0 ? (
            <Empty title="No visits yet">
              <p>They appear here by themselves while a watcher runs.</p>
            </Empty>
          ) : (
            <ol class={list.busy ? "events events-busy" : "events"} aria-label="Visits, newest first" tabIndex={0}>
              {list.entries.map((entry) => (
                <LiveLine key={entry.key} entry={entry} />
              ))}
            </ol>
          )}
        </Panel>
        <ErrorsPanel />
      </div>
    </>
  );
}
