import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { range } from "../format/numbers.ts";
import { useStore } from "../store.ts";
import { theme } from "../theme.ts";
import { colour, SECOND_STEPS, spanMarks, timeMarks, xAxisSize } from "./axis.ts";
import { ChartTable } from "./chart-table.tsx";

type Values = (number | null)[];

export interface ChartSeries {
  name: string;
  values: Values;
  /** What is drawn, where that differs from what is said: bars stacked by hand. */
  drawn?: Values;
  colour: string;
  shape?: "line" | "bars" | "steps";
}

export interface ChartProps {
  name: string;
  /** The chart in one sentence, for those who do not see it. */
  summary: string;
  x: number[];
  /** Moments or spans, both in seconds. */
  xKind: "time" | "span";
  formatX: (x: number) => string;
  formatY: (y: number) => string;
  /** The marks of the vertical axis, where they differ from the readout's. */
  formatMark?: (y: number) => string;
  /** Vertical steps that read well, where those of the decimal system do not. */
  steps?: number[];
  series: ChartSeries[];
  band?: { name: string; low: Values; high: Values };
  /** The least the vertical axis must reach from and to. */
  reach?: [number | null, number | null];
  /** The most it may reach. */
  limits?: [number, number];
  height?: number;
}

function dataOf({ x, series, band }: ChartProps): uPlot.AlignedData {
  const lines = series.map(({ values, drawn }) => drawn ?? values);
  return [x, ...(band ? [band.low, band.high] : []), ...lines];
}

function seriesOf({ series, band }: ChartProps): uPlot.Series[] {
  const edges: uPlot.Series[] = band ? [{ points: { show: false } }, { points: { show: false } }] : [];
  return [
    {},
    ...edges,
    ...series.map((one): uPlot.Series => {
      const stroke = colour(one.colour);
      if (one.shape === "bars") {
        return {
          fill: stroke,
          width: 0,
          paths: uPlot.paths.bars!({ size: [0.82, 40], align: 1 }),
          points: { show: false },
        };
      }
      const line: uPlot.Series = { stroke, width: 2, points: { show: one.values.length === 1, size: 6 } };
      return one.shape === "steps" ? { ...line, paths: uPlot.paths.stepped!({ align: 1 }) } : line;
    }),
  ];
}

function rangeOf(props: ChartProps, low: number | null, high: number | null): [number, number] {
  const [from, to] = props.reach ?? [null, null];
  let bottom = Math.min(low ?? 0, from ?? Infinity);
  let top = Math.max(high ?? 1, to ?? -Infinity);
  if (!Number.isFinite(bottom)) bottom = 0;
  const room = (top - bottom || Math.abs(top) || 1) * 0.08;
  if (bottom !== from) bottom -= room;
  top += room;
  const [least, most] = props.limits ?? [-Infinity, Infinity];
  return [Math.max(bottom, least), Math.min(top, most)];
}

/** Room on the right for the last bar, which begins at its moment. */
function barWidth(plot: uPlot, bars: boolean): number {
  const [first, second] = plot.data[0];
  return bars && first !== undefined && second !== undefined ? second - first : 0;
}

function optionsOf(
  current: { current: ChartProps },
  width: number,
  height: number,
  hover: (index: number | null) => void,
): uPlot.Options {
  const props = current.current;
  const text = colour("text-quiet");
  const grid = { stroke: colour("line"), width: 1 };
  const font = `11px ${colour("font") || "sans-serif"}`;
  const time = props.xKind === "time";
  const bars = props.series.some(({ shape }) => shape === "bars");
  return {
    width,
    height,
    padding: [8, 10, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !bars } },
    scales: {
      x: { time, range: (plot, low, high) => [low, high + barWidth(plot, bars)] },
      y: { range: (_, low, high) => rangeOf(current.current, low, high) },
    },
    axes: [
      {
        stroke: text,
        grid: { show: false },
        ticks: { show: false },
        font,
        size: xAxisSize,
        gap: 6,
        space: 70,
        values: time ? timeMarks : spanMarks,
        ...(time ? {} : { incrs: SECOND_STEPS }),
      },
      {
        stroke: text,
        grid,
        ticks: { show: false },
        font,
        size: 52,
        gap: 6,
        space: 34,
        values: (_, splits) => splits.map((split) => (current.current.formatMark ?? current.current.formatY)(split)),
        ...(props.steps ? { incrs: props.steps } : {}),
      },
    ],
    series: seriesOf(props),
    bands: props.band ? [{ series: [2, 1], fill: colour("band") }] : [],
    hooks: { setCursor: [(plot) => hover(plot.cursor.idx ?? null)] },
  };
}

/** A chart with its readout above and its numbers below. */
export function Chart(props: ChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const current = useRef(props);
  current.current = props;
  const shownTheme = useStore(theme);
  const [hovered, setHovered] = useState<number | null>(null);
  const height = props.height ?? 220;
  const shape = props.series.map((one) => one.name + one.colour).join() + String(props.band !== undefined);

  useEffect(() => {
    const element = box.current!;
    const made = new uPlot(
      optionsOf(current, element.clientWidth, height, setHovered),
      dataOf(current.current),
      element,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shownTheme, shape, height]);

  useEffect(() => plot.current?.setData(dataOf(props)), [props.x, props.series, props.band]);

  const index = hovered !== null && hovered < props.x.length ? hovered : props.x.length - 1;
  return (
    <figure class="chart">
      <Readout {...props} index={index} />
      <div class="chart-plot" ref={box} role="img" aria-label={props.summary} style={{ height: `${height}px` }} />
      <ChartTable {...props} />
    </figure>
  );
}

function Readout({ x, series, band, formatX, formatY, index }: ChartProps & { index: number }): JSX.Element {
  const say = (values: Values): string => {
    const value = values[index];
    return value === null || value === undefined ? "–" : formatY(value);
  };
  const at = x[index];
  return (
    <p class="readout" aria-hidden="true">
      <span class="readout-x">{at === undefined ? "" : formatX(at)}</span>
      {series.map((one) => (
        <span key={one.name}>
          <i class={`swatch swatch-${one.colour}`} /> {one.name} <b>{say(one.values)}</b>
        </span>
      ))}
      {band && (
        <span>
          <i class="swatch swatch-band" /> {band.name} <b>{range(say(band.low), say(band.high))}</b>
        </span>
      )}
    </p>
  );
}
