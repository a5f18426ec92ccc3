import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ChartProps } from "./chart.tsx";

/** A chart's numbers as a table, made only when asked for. */
export function ChartTable({ name, x, series, band, formatX, formatY }: ChartProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const columns = [
    ...series.map(({ name: head, values }) => ({ head, values })),
    ...(band
      ? [
          { head: "low", values: band.low },
          { head: "high", values: band.high },
        ]
      : []),
  ];
  return (
    <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Numbers</summary>
      {open && (
        <div class="numbers-box" tabIndex={0} role="region" aria-label={`Numbers of ${name}`}>
          <table>
            <caption class="unseen">{name}</caption>
            <thead>
              <tr>
                <th scope="col">at</th>
                {columns.map(({ head }) => (
                  <th scope="col" class="number" key={head}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {x.map((at, row) => (
                <tr key={at}>
                  <th scope="row">{formatX(at)}</th>
                  {columns.map(({ head, values }) => {
                    const value = values[row];
                    return (
                      <td class="number" key={head}>
                        {value === null || value === undefined ? "–" : formatY(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
