import type { JSX } from "preact";

const WIDTH = 200;
const HEIGHT = 14;

interface PolicyBarProps {
  value: number;
  error: number | null;
  /** The value at the right end, the same for all bars of a table. */
  top: number;
  best: boolean;
}

/** A bar with the whisker of its error. */
export function PolicyBar({ value, error, top, best }: PolicyBarProps): JSX.Element {
  const scale = top > 0 ? (WIDTH - 2) / top : 0;
  const end = value * scale;
  const middle = HEIGHT / 2;
  return (
    <svg
      class="policy-bar"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <rect class="share-track" width={WIDTH} height={HEIGHT} rx="3" />
      <rect class={best ? "share-fill" : "share-fill other"} width={Math.max(1, end)} height={HEIGHT} rx="3" />
      {error !== null && error > 0 && (
        <path
          class="whisker"
          d={`M${Math.max(0, end - error * scale)} ${middle}H${end + error * scale}M${Math.max(0, end - error * scale)} 3V11M${end + error * scale} 3V11`}
        />
      )}
    </svg>
  );
}
