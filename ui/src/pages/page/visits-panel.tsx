import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PagedList } from "../../api/resource.ts";
import type { PastVisit } from "../../api/types.ts";
import { Timeline } from "../../charts/timeline.tsx";
import { Panel } from "../../components/panel.tsx";
import { Empty, Show } from "../../components/states.tsx";
import { type Column, More, Table } from "../../components/table.tsx";
import { Ago, OutcomeMark } from "../../components/values.tsx";
import { bytes, count, plural } from "../../format/numbers.ts";
import { changeQuery, usePlace } from "../../router.tsx";

function ask(time: string): void {
  changeQuery({ at: time });
  document.getElementById("next-visit")?.scrollIntoView({ block: "nearest" });
}

const COLUMNS: readonly Column<PastVisit>[] = [
  { name: "Visit", main: true, cell: (visit) => <Ago time={visit.time} /> },
  { name: "Outcome", cell: (visit) => <OutcomeMark outcome={visit.outcome} /> },
  { name: "Status", number: true, cell: (visit) => (visit.status > 0 ? visit.status : "–") },
  { name: "Size", number: true, cell: (visit) => bytes(visit.bytes) },
  { name: "Took", number: true, cell: (visit) => `${count(visit.millis)} ms` },
  { name: "Reason", long: true, cell: (visit) => visit.reason },
  {
    name: "Why",
    cell: (visit) => (
      <button type="button" class="plain" onClick={() => ask(visit.time)}>
        Why then?
      </button>
    ),
  },
];

export function VisitsPanel({ history }: { history: PagedList<PastVisit> }): JSX.Element {
  const { query } = usePlace();
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Visits" class="full" aside={<span class="quiet">choose a visit to ask why it happened</span>}>
      <Show resource={history} lines={4}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title="Not visited yet">
              <p>New pages come first while a watcher runs.</p>
            </Empty>
          ) : (
            <>
              <Timeline visits={data.items} chosen={query.get("at")} choose={ask} />
              <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
                <summary>List of {plural(data.items.length, "visit")}</summary>
                {open && (
                  <div class="numbers-box visits-box" tabIndex={0} role="region" aria-label="List of visits">
                    <Table label="Visits" columns={COLUMNS} rows={data.items} keyOf={(visit) => visit.time} />
                  </div>
                )}
              </details>
              {data.next !== null && (
                <More
                  shown={data.items.length}
                  total={data.total}
                  next={data.next}
                  loading={history.loading}
                  more={history.more}
                  noun="visits"
                />
              )}
            </>
          )
        }
      </Show>
    </Panel>
  );
}
