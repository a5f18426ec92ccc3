import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Resource } from "../api/resource.ts";
import type { Cycle } from "../api/types.ts";
import { Chart } from "../charts/chart.tsx";
import { Panel } from "../components/panel.tsx";
import { Empty, Show } from "../components/states.tsx";
import { markPercent, percent, plural } from "../format/numbers.ts";
import { mark, stretch } from "../format/times.ts";

function Ratios({ cycles }: { cycles: Cycle[] }): JSX.Element {
  const drawn = useMemo(() => {
    const oldestFirst = [...cycles].reverse();
    return {
      x: oldestFirst.map(({ began }) => Date.parse(began) / 1000),
      series: [
        { name: "change ratio", values: oldestFirst.map(({ change_ratio }) => change_ratio), colour: "accent" },
        {
          name: "budget spent",
          values: oldestFirst.map(({ spent, budget }) => (budget > 0 ? spent / budget : null)),
          colour: "second",
        },
      ],
    };
  }, [cycles]);
  const last = cycles.find(({ change_ratio }) => change_ratio !== null);
  return (
    <Chart
      name="Cycles"
      summary={`Change ratio of ${plural(cycles.length, "cycle")}: ${percent(last?.change_ratio ?? null)} in the last`}
      xKind="time"
      formatX={(x) => mark(x, stretch(drawn.x))}
      formatY={percent}
      formatMark={markPercent}
      reach={[0, null]}
      limits={[0, Infinity]}
      height={200}
      {...drawn}
    />
  );
}

/** How it really went, cycle by cycle. */
export function CyclesPanel({ cycles, total }: { cycles: Resource<{ items: Cycle[] }>; total: string }): JSX.Element {
  return (
    <Panel title="How it went, cycle by cycle" aside={total && <span class="quiet">last {total}</span>}>
      <Show resource={cycles} lines={6}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No cycle yet">
              <p>Cycles begin when a watcher spends a budget.</p>
            </Empty>
          ) : (
            <Ratios cycles={items} />
          )
        }
      </Show>
    </Panel>
  );
}
