import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useResource } from "../../api/resource.ts";
import type { Distribution } from "../../api/types.ts";
import { Chart } from "../../charts/chart.tsx";
import { Panel } from "../../components/panel.tsx";
import { Empty, Show } from "../../components/states.tsx";
import { markPercent, percent, span } from "../../format/numbers.ts";

const DAY = 86_400;

function medianOf(points: Distribution["points"]): string {
  const point = points.find(({ probability }) => probability >= 0.5);
  return point
    ? `half of the updates come within ${span(point.days * DAY)}`
    : "fewer than half of the updates come within the time shown";
}

function Curve({ points }: { points: Distribution["points"] }): JSX.Element {
  const drawn = useMemo(
    () => ({
      x: points.map(({ days }) => days * DAY),
      series: [
        {
          name: "updated by then",
          values: points.map(({ probability }) => probability),
          colour: "accent",
          shape: "steps" as const,
        },
      ],
    }),
    [points],
  );
  return (
    <Chart
      name="Time between updates"
      summary={`Distribution of the time between updates: ${medianOf(points)}`}
      xKind="span"
      formatX={(x) => `within ${span(x)}`}
      formatY={percent}
      formatMark={markPercent}
      reach={[0, 1]}
      limits={[0, 1]}
      {...drawn}
    />
  );
}

export function DistributionPanel({ id, visits }: { id: number; visits: number }): JSX.Element {
  const distribution = useResource<Distribution>(`/pages/${id}/distribution`, { follows: visits });
  const { data } = distribution;
  return (
    <Panel
      title="Time between updates"
      aside={
        data &&
        data.points.length > 0 && (
          <span class="quiet">
            by <code>{data.method}</code>
          </span>
        )
      }
    >
      <Show resource={distribution} lines={6}>
        {({ points, note }) =>
          points.length === 0 ? (
            <Empty title="The log says too little">{note && <p>{note}</p>}</Empty>
          ) : (
            <>
              <Curve points={points} />
              {note && <p class="note quiet small">{note}</p>}
            </>
          )
        }
      </Show>
    </Panel>
  );
}
