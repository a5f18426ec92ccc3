import type { JSX } from "preact";
import type { Interval, Overview } from "../../api/types.ts";
import { Tile } from "../../components/panel.tsx";
import { count, decimal, percent, plural, range, shortCount, span } from "../../format/numbers.ts";

function between(interval: Interval | null, format: (value: number) => string): string {
  return interval ? `likely ${range(format(interval.low), format(interval.high))}` : "too few visits to tell";
}

export function Tiles({ data }: { data: Overview }): JSX.Element {
  const { totals, pages } = data;
  const told = totals.changed + totals.unchanged;
  const others = [pages.paused && `${count(pages.paused)} paused`, pages.gone && `${count(pages.gone)} gone`]
    .filter(Boolean)
    .join(", ");
  return (
    <dl class="tiles">
      <Tile
        name="Expected freshness"
        title="share of the copies held that are up to date, by weight"
        value={percent(data.freshness?.value ?? null)}
        note={between(data.freshness, percent)}
      />
      <Tile
        name="Expected age"
        title="mean time for which copies have been out of date"
        value={span(data.age_seconds?.value ?? null)}
        note={between(data.age_seconds, span)}
      />
      <Tile
        name="Changes not yet seen"
        title="changes expected on watched pages since their last visit"
        value={shortCount(data.undetected_changes && Number(data.undetected_changes.value.toFixed(1)))}
        note={between(data.undetected_changes, (value) => decimal(Number(value.toFixed(1))))}
      />
      <Tile
        name="Changes caught"
        title={`${count(totals.changed)} changed, ${count(totals.unchanged)} unchanged, ${count(totals.first)} first, ${count(totals.unknown)} unknown`}
        value={shortCount(totals.changed)}
        note={
          told > 0
            ? `${percent(totals.changed / told)} of ${plural(told, "look")}`
            : `${plural(totals.visits, "visit")} so far`
        }
      />
      <Tile
        name="Pages watched"
        value={shortCount(pages.watched)}
        note={others || `on ${plural(data.sites, "site")}`}
      />
    </dl>
  );
}
