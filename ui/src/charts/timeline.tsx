import type { JSX } from "preact";
import type { Outcome, PastVisit } from "../api/types.ts";
import { OutcomeShape } from "../components/values.tsx";
import { absolute, mark } from "../format/times.ts";
import { plural } from "../format/numbers.ts";
import { useWidth } from "./use-width.ts";

const LANES: readonly Outcome[] = ["changed", "unchanged", "first", "unknown"];
const LANE_HEIGHT = 24;
const LABEL_WIDTH = 84;
const RIGHT_ROOM = 12;
const AXIS_HEIGHT = 24;

interface TimelineProps {
  visits: readonly PastVisit[];
  /** The visit that is asked about. */
  chosen: string | null;
  choose: (time: string) => void;
}

function summaryOf(visits: readonly PastVisit[]): string {
  const parts = LANES.map((lane) => [lane, visits.filter(({ outcome }) => outcome === lane).length] as const)
    .filter(([, number]) => number > 0)
    .map(([lane, number]) => `${number} ${lane}`);
  return `Timeline of ${plural(visits.length, "visit")}: ${parts.join(", ")}`;
}

function axisTimes(start: number, end: number, width: number): number[] {
  const number = Math.max(2, Math.min(7, Math.floor(width / 110)));
  return Array.from({ length: number }, (_, mark) => start + ((end - start) * mark) / (number - 1));
}

/** Visits along time, a lane for each outcome. */
export function Timeline({ visits, chosen, choose }: TimelineProps): JSX.Element {
  const [box, width] = useWidth<HTMLDivElement>();
  const times = visits.map(({ time }) => Date.parse(time));
  const start = Math.min(...times);
  const end = Math.max(...times, start + 1000);
  const room = Math.max(0, width - LABEL_WIDTH - RIGHT_ROOM);
  const xOf = (time: number): number => LABEL_WIDTH + ((time - start) / (end - start)) * room;
  const height = LANES.length * LANE_HEIGHT + AXIS_HEIGHT;
  const marks = axisTimes(start, end, room);
  return (
    <div class="timeline" ref={box} style={{ height: `${height}px` }}>
      {width > 0 && (
        <svg role="img" aria-label={summaryOf(visits)} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          {LANES.map((lane, row) => (
            <g key={lane}>
              <line class="lane" x1={LABEL_WIDTH} x2={width} y1={row * LANE_HEIGHT + 12} y2={row * LANE_HEIGHT + 12} />
              <text class="lane-name" x={0} y={row * LANE_HEIGHT + 16}>
                {lane}
              </text>
            </g>
          ))}
          {marks.map((time, place) => (
            <text
              key={place}
              class="lane-time"
              x={xOf(time)}
              y={height - 6}
              text-anchor={place === 0 ? "start" : place === marks.length - 1 ? "end" : "middle"}
            >
              {mark(time / 1000, (end - start) / 1000)}
            </text>
          ))}
          {chosen !== null && (
            <line
              class="chosen-line"
              x1={xOf(Date.parse(chosen))}
              x2={xOf(Date.parse(chosen))}
              y1={0}
              y2={height - AXIS_HEIGHT}
            />
          )}
          {visits.map((visit, index) => (
            <g
              key={visit.time + index}
              class={visit.time === chosen ? "visit chosen" : "visit"}
              onClick={() => choose(visit.time)}
            >
              <title>{`${visit.outcome}, ${absolute(visit.time)}${visit.reason ? `: ${visit.reason}` : ""}`}</title>
              <rect
                class="visit-reach"
                x={xOf(times[index]!) - 8}
                y={LANES.indexOf(visit.outcome) * LANE_HEIGHT}
                width={16}
                height={LANE_HEIGHT}
              />
              <OutcomeShape
                outcome={visit.outcome}
                x={xOf(times[index]!)}
                y={LANES.indexOf(visit.outcome) * LANE_HEIGHT + 12}
                size={5}
              />
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
