import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ActivityBucket, SeriesPoint } from "../../api/types.ts";
import { SECOND_STEPS } from "../../charts/axis.ts";
import { Chart } from "../../charts/chart.tsx";
import { Panel } from "../../components/panel.tsx";
import { Empty } from "../../components/states.tsx";
import { count, markPercent, percent, shortCount, shortSpan, span } from "../../format/numbers.ts";
import { absolute, mark, stretch } from "../../format/times.ts";

const seconds = (time: string): number => Date.parse(time) / 1000;

function spanOf(points: readonly { time: string }[]): string {
  return `from ${absolute(points[0]!.time)} to ${absolute(points.at(-1)!.time)}`;
}

function NoCurve(): JSX.Element {
  return (
    <Empty title="No curve yet">
      <p>It begins once pages have been visited more than once.</p>
    </Empty>
  );
}

export function FreshnessChart({ series }: { series: SeriesPoint[] }): JSX.Element {
  const drawn = useMemo(
    () => ({
      x: series.map(({ time }) => seconds(time)),
      series: [{ name: "fresh", values: series.map(({ freshness }) => freshness), colour: "accent" }],
      band: { name: "likely", low: series.map(({ low }) => low), high: series.map(({ high }) => high) },
    }),
    [series],
  );
  return (
    <Panel title="Freshness over time" class="wide">
      {series.length === 0 ? (
        <NoCurve />
      ) : (
        <Chart
          name="Freshness over time"
          summary={`Expected freshness ${spanOf(series)}: now ${percent(series.at(-1)!.freshness)}, lowest ${percent(Math.min(...series.map((point) => point.freshness)))}`}
          xKind="time"
          formatX={(x) => mark(x, stretch(drawn.x))}
          formatY={percent}
          formatMark={markPercent}
          limits={[0, 1]}
          {...drawn}
        />
      )}
    </Panel>
  );
}

export function AgeChart({ series }: { series: SeriesPoint[] }): JSX.Element {
  const drawn = useMemo(
    () => ({
      x: series.map(({ time }) => seconds(time)),
      series: [{ name: "mean age", values: series.map(({ age_seconds }) => age_seconds), colour: "second" }],
    }),
    [series],
  );
  return (
    <Panel title="Age over time">
      {series.length === 0 ? (
        <NoCurve />
      ) : (
        <Chart
          name="Age over time"
          summary={`Expected age ${spanOf(series)}: now ${span(series.at(-1)!.age_seconds)}`}
          xKind="time"
          formatX={(x) => mark(x, stretch(drawn.x))}
          formatY={shortSpan}
          steps={SECOND_STEPS}
          reach={[0, null]}
          limits={[0, Infinity]}
          height={170}
          {...drawn}
        />
      )}
    </Panel>
  );
}

export function ActivityChart({ buckets }: { buckets: ActivityBucket[] }): JSX.Element {
  const drawn = useMemo(
    () => ({
      x: buckets.map(({ time }) => seconds(time)),
      series: [
        { name: "visits", values: buckets.map(({ visits }) => visits), colour: "muted-fill", shape: "bars" as const },
        // Drawn over the visits and under the changes, so that it shows as a piece of its own.
        {
          name: "unknown",
          values: buckets.map(({ unknown }) => unknown),
          drawn: buckets.map(({ unknown, changed }) => unknown + changed),
          colour: "warn-fill",
          shape: "bars" as const,
        },
        {
          name: "changed",
          values: buckets.map(({ changed }) => changed),
          colour: "accent-fill",
          shape: "bars" as const,
        },
      ],
    }),
    [buckets],
  );
  const total = buckets.reduce((sum, { visits }) => sum + visits, 0);
  const changed = buckets.reduce((sum, bucket) => sum + bucket.changed, 0);
  return (
    <Panel title="Visits">
      {buckets.length === 0 ? (
        <Empty title="No visits yet" />
      ) : (
        <Chart
          name="Visits"
          summary={`${count(total)} visits ${spanOf(buckets)}, of which ${count(changed)} found a change`}
          xKind="time"
          formatX={(x) => mark(x, stretch(drawn.x))}
          formatY={shortCount}
          reach={[0, 1]}
          limits={[0, Infinity]}
          height={170}
          {...drawn}
        />
      )}
    </Panel>
  );
}
