import type { JSX } from "preact";
import type { Forecast, ForecastRow } from "../../api/types.ts";
import { Panel } from "../../components/panel.tsx";
import { Empty } from "../../components/states.tsx";
import { decimal, per, percent, shortCount, shortSpan, span } from "../../format/numbers.ts";

/** What a row gains over another in the quantity the collection is scheduled for. */
function difference(objective: string, row: ForecastRow, base: ForecastRow): string {
  if (objective === "freshness") {
    const points = Math.abs(row.freshness - base.freshness) * 100;
    return `${decimal(Number(points.toPrecision(2)))} points of freshness`;
  }
  if (objective === "age" && row.age_seconds !== null && base.age_seconds !== null) {
    return `${span(Math.abs(row.age_seconds - base.age_seconds))} of age`;
  }
  const changes = Number(Math.abs(row.changes - base.changes).toPrecision(2));
  return `${shortCount(changes)} ${changes === 1 ? "change" : "changes"}`;
}

export function forecastSentence(forecast: Forecast): string | null {
  const base = forecast.rows.find(({ share }) => share === 1);
  const more = forecast.rows.find(({ share }) => share > 1);
  const fewer = forecast.rows.find(({ share }) => share < 1);
  if (!base || !more || !fewer) return null;
  const tenth = (row: ForecastRow): string => `${Math.round(Math.abs(row.share - 1) * 100)} %`;
  const buys = difference(forecast.objective, more, base);
  const costs = difference(forecast.objective, fewer, base);
  const when = forecast.objective === "changes" ? ` ${per(forecast.per_seconds)}` : "";
  return `${tenth(more)} more downloads buys you ${buys}${when}; ${tenth(fewer)} fewer costs ${costs}.`;
}

export function ForecastPanel({ forecast }: { forecast: Forecast | null }): JSX.Element {
  const sentence = forecast && forecastSentence(forecast);
  return (
    <Panel title="What a budget buys">
      {forecast && forecast.rows.length > 0 ? (
        <>
          {sentence && <p class="sentence">{sentence}</p>}
          <div class="scroll-box" tabIndex={0} role="region" aria-label="Budgets side by side">
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col">Budget</th>
                  <th scope="col" class="number">
                    Visits
                  </th>
                  <th scope="col" class="number">
                    Changes
                  </th>
                  <th scope="col" class="number">
                    Fresh
                  </th>
                  <th scope="col" class="number">
                    Age
                  </th>
                </tr>
              </thead>
              <tbody>
                {forecast.rows.map((row) => (
                  <tr key={row.share} class={row.share === 1 ? "current" : undefined}>
                    <th scope="row">
                      {row.share === 1
                        ? "now"
                        : `${row.share > 1 ? "+" : "−"}${Math.round(Math.abs(row.share - 1) * 100)} %`}
                    </th>
                    <td class="number">{shortCount(row.budget)}</td>
                    <td class="number">{decimal(Number(row.changes.toPrecision(3)))}</td>
                    <td class="number">{percent(row.freshness)}</td>
                    <td class="number">{shortSpan(row.age_seconds)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p class="quiet small">
            Visits and changes {per(forecast.per_seconds)}, for the best schedule in the long run at the rates believed
            now.
          </p>
        </>
      ) : (
        <Empty title="No forecast yet">
          <p>It needs a budget and pages whose rate is known.</p>
        </Empty>
      )}
    </Panel>
  );
}
