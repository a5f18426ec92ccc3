import type { JSX } from "preact";
import type { Overview } from "../../api/types.ts";
import { useNow } from "../../clock.ts";
import { Panel } from "../../components/panel.tsx";
import { Empty } from "../../components/states.tsx";
import { Ago } from "../../components/values.tsx";
import { count, percent, roughPercent, shortCount, span } from "../../format/numbers.ts";

export function BudgetPanel({ data }: { data: Overview }): JSX.Element {
  const { cycle, totals } = data;
  const now = useNow();
  return (
    <Panel title="Budget" aside={cycle && <span class="quiet">cycle {count(cycle.number)}</span>}>
      {cycle ? (
        <>
          <p class="big-number">
            {shortCount(cycle.left)} <span class="quiet">of {shortCount(cycle.budget)} visits left</span>
          </p>
          <BudgetMeter budget={cycle.budget} spent={cycle.spent} />
          <p class="quiet">
            {shortCount(cycle.spent)} spent ({roughPercent(cycle.budget > 0 ? cycle.spent / cycle.budget : null)}); the
            cycle of {span(cycle.length_seconds)} {Date.parse(cycle.ends) > now ? "ends" : "ended"}{" "}
            <Ago time={cycle.ends} ahead />.
          </p>
        </>
      ) : (
        <Empty title="No budget is being spent">
          <p>
            A cycle begins when a watcher runs: <code>recrawl watch --budget 2000/d --serve</code>.
          </p>
        </Empty>
      )}
      <Outcomes totals={totals} />
    </Panel>
  );
}

function BudgetMeter({ budget, spent }: { budget: number; spent: number }): JSX.Element {
  const most = Math.max(budget, spent, 1);
  return (
    <svg
      class="budget-meter"
      role="meter"
      aria-label="Budget spent"
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={spent}
      aria-valuetext={`${count(spent)} of ${count(budget)} visits`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
    >
      <rect class="budget-left" width="100" height="10" />
      <rect class="share-fill" width={(100 * spent) / most} height="10" />
    </svg>
  );
}

function Outcomes({ totals }: { totals: Overview["totals"] }): JSX.Element {
  const rows = [
    ["changed", totals.changed],
    ["unchanged", totals.unchanged],
    ["first", totals.first],
    ["unknown", totals.unknown],
  ] as const;
  return (
    <dl class="facts facts-tight">
      {rows.map(([name, number]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {count(number)} <span class="quiet">{totals.visits > 0 ? percent(number / totals.visits) : ""}</span>
          </dd>
        </div>
      ))}
      <div class="sum">
        <dt>visits in all</dt>
        <dd>{count(totals.visits)}</dd>
      </div>
    </dl>
  );
}
