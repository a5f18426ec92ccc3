import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useResource } from "../../api/resource.ts";
import type { Estimates, MethodEstimate } from "../../api/types.ts";
import { Chart } from "../../charts/chart.tsx";
import { Panel } from "../../components/panel.tsx";
import { Empty, Show } from "../../components/states.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Rate } from "../../components/values.tsx";
import { decimal, everyRate, perDay, shortCount } from "../../format/numbers.ts";
import { mark, stretch } from "../../format/times.ts";

function likely(estimate: MethodEstimate): string {
  const { low, high } = estimate;
  if (low === null && high === null) return "–";
  return `${low === null ? "0" : decimal(low)} – ${high === null ? "∞" : decimal(high)}`;
}

const COLUMNS: readonly Column<MethodEstimate>[] = [
  { name: "Method", main: true, cell: (row) => <code>{row.method}</code> },
  { name: "Changes", cell: (row) => <Rate perDay={row.rate_per_day} /> },
  { name: "A day", number: true, cell: (row) => decimal(row.rate_per_day) },
  { name: "Likely", number: true, title: "changes a day: the interval of the method", cell: likely },
  { name: "Note", long: true, cell: (row) => row.note && <span class="quiet">{row.note}</span> },
];

function RateChart({ points, method }: { points: Estimates["over_time"]; method: string }): JSX.Element {
  const drawn = useMemo(
    () => ({
      x: points.map(({ time }) => Date.parse(time) / 1000),
      series: [{ name: "changes a day", values: points.map(({ rate_per_day }) => rate_per_day), colour: "accent" }],
      ...(points.some(({ low, high }) => low !== null && high !== null)
        ? { band: { name: "likely", low: points.map(({ low }) => low), high: points.map(({ high }) => high) } }
        : {}),
    }),
    [points],
  );
  const last = points.at(-1)!;
  return (
    <Chart
      name="Rate over time"
      summary={`Rate by ${method} as visits came in: ${everyRate(points[0]!.rate_per_day)} at first, ${everyRate(last.rate_per_day)} (${perDay(last.rate_per_day)}) now`}
      xKind="time"
      formatX={(x) => mark(x, stretch(drawn.x))}
      formatY={decimal}
      formatMark={shortCount}
      reach={[0, null]}
      limits={[0, Infinity]}
      {...drawn}
    />
  );
}

export function EstimatesPanels({ id, visits }: { id: number; visits: number }): JSX.Element {
  const estimates = useResource<Estimates>(`/pages/${id}/estimates`, { follows: visits });
  return (
    <>
      <Panel
        title="Rate over time"
        aside={
          estimates.data &&
          estimates.data.over_time.length > 0 && (
            <span class="quiet">
              by <code>{estimates.data.over_time_method}</code>
            </span>
          )
        }
      >
        <Show resource={estimates} lines={6}>
          {(data) =>
            data.over_time.length === 0 ? (
              <Empty title="Too few visits for a rate">
                <p>Two visits that can be compared make the first.</p>
              </Empty>
            ) : (
              <RateChart points={data.over_time} method={data.over_time_method} />
            )
          }
        </Show>
      </Panel>
      <Panel title="Estimates by each method" class="wide">
        <Show resource={estimates} lines={6}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title="No method can tell yet" />
            ) : (
              <Table label="Estimates by each method" columns={COLUMNS} rows={data.items} keyOf={(row) => row.method} />
            )
          }
        </Show>
      </Panel>
    </>
  );
}
