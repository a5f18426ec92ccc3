import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { post } from "../api/client.ts";
import { type Resource, useResource } from "../api/resource.ts";
import type { Cycle, Overview, Policies, PolicyResult } from "../api/types.ts";
import { Icon } from "../components/icons.tsx";
import { PageHead, Panel } from "../components/panel.tsx";
import { Empty, Show, Skeleton } from "../components/states.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Ago } from "../components/values.tsx";
import { PolicyBar } from "../charts/policy-bar.tsx";
import { count, decimal, percent, plural, shortCount, span } from "../format/numbers.ts";
import { tell, tellProblem } from "../shell/notices.tsx";
import { CyclesPanel } from "./cycles-panel.tsx";

const POLL_MILLIS = 3_000;

function usePolling(policies: Resource<Policies>): void {
  const computing = policies.data?.status === "computing";
  useEffect(() => {
    if (!computing) return;
    const timer = setInterval(policies.reload, POLL_MILLIS);
    return () => clearInterval(timer);
  }, [computing, policies.reload]);
}

function columns(results: readonly PolicyResult[], own: string | null): Column<PolicyResult>[] {
  const top = Math.max(...results.map((row) => row.change_ratio + (row.change_ratio_error ?? 0)));
  const best = Math.max(...results.map((row) => row.change_ratio));
  return [
    {
      name: "Policy",
      main: true,
      cell: (row) => (
        <span class="policy-name">
          <code>{row.policy}</code>
          {row.change_ratio === best && <span class="chip chip-best">best</span>}
          {row.policy === own && <span class="chip chip-own">in use</span>}
        </span>
      ),
    },
    {
      name: "Change ratio",
      long: true,
      title: "changed visits of all visits, by weight; ± half of the 95 % interval",
      cell: (row) => (
        <span class="ratio">
          <span class="ratio-text">
            {percent(row.change_ratio)}
            {row.change_ratio_error !== null && (
              <span class="quiet"> ± {decimal(Number((row.change_ratio_error * 100).toPrecision(2)))}</span>
            )}
          </span>
          <PolicyBar
            value={row.change_ratio}
            error={row.change_ratio_error}
            top={top}
            best={row.change_ratio === best}
          />
        </span>
      ),
    },
    {
      name: "Caught",
      title: "share of all changes that were caught",
      number: true,
      cell: (row) => percent(row.changes_caught),
    },
    { name: "Fresh", number: true, cell: (row) => percent(row.freshness) },
    { name: "Age", number: true, cell: (row) => span(row.age_seconds) },
  ];
}

function Setting({ data }: { data: Policies }): JSX.Element {
  const parts = [
    data.pages !== null && plural(data.pages, "page"),
    data.cycles !== null &&
      data.cycle_seconds !== null &&
      `${plural(data.cycles, "cycle")} of ${span(data.cycle_seconds)}`,
    data.budget !== null && `${shortCount(data.budget)} visits a cycle`,
    data.runs !== null && data.runs > 1 && plural(data.runs, "run"),
  ].filter(Boolean);
  return (
    <p class="quiet">
      {parts.join(", ")}
      {data.as_of && (
        <>
          {parts.length > 0 ? "; " : ""}computed <Ago time={data.as_of} />
        </>
      )}
      .
    </p>
  );
}

function Results({ data, own }: { data: Policies; own: string | null }): JSX.Element {
  const rows = [...data.results].sort((one, other) => other.change_ratio - one.change_ratio);
  return (
    <>
      {data.status === "computing" && (
        <div role="status">
          <p>Replaying each policy on this collection's history…</p>
          {rows.length === 0 && <Skeleton lines={6} />}
        </div>
      )}
      {data.status === "too_little" && (
        <Empty title="The history is too short to compare policies">
          <p>{data.note ?? "Each page needs a few visits first; come back after some cycles."}</p>
        </Empty>
      )}
      {data.status === "failed" && (
        <Empty title="The comparison failed">
          <p>{data.note ?? "Run it again, or look into the server's log."}</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <>
          <Setting data={data} />
          <Table label="Policies side by side" columns={columns(rows, own)} rows={rows} keyOf={(row) => row.policy} />
          {data.status === "ready" && data.note && <p class="note quiet small">{data.note}</p>}
        </>
      )}
    </>
  );
}

export function PoliciesPage(): JSX.Element {
  const policies = useResource<Policies>("/policies");
  const overview = useResource<Overview>("/overview");
  const cycles = useResource<{ items: Cycle[] }>("/cycles?limit=120");
  usePolling(policies);
  const again = (): void => {
    post<unknown>("/policies", {}).then(() => {
      tell("The comparison runs anew.");
      policies.reload();
    }, tellProblem);
  };
  const computing = policies.data?.status === "computing";
  return (
    <>
      <PageHead
        title="Policies"
        lead="What each policy would have caught on this collection's own history, with the same budget."
        aside={
          <button type="button" onClick={again} disabled={computing || policies.data === null}>
            <Icon name="again" /> {computing ? "Running…" : "Run again"}
          </button>
        }
      />
      <Panel
        title="Side by side"
        aside={
          policies.data?.start &&
          policies.data.end && (
            <span class="quiet">
              history of {span((Date.parse(policies.data.end) - Date.parse(policies.data.start)) / 1000)}
            </span>
          )
        }
      >
        <Show resource={policies} lines={13}>
          {(data) => <Results data={data} own={overview.data?.policy ?? null} />}
        </Show>
      </Panel>
      <CyclesPanel cycles={cycles} total={cycles.data ? count(cycles.data.items.length) : ""} />
    </>
  );
}
