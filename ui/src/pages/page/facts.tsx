import type { ComponentChildren, JSX } from "preact";
import type { PageDetail } from "../../api/types.ts";
import { Panel } from "../../components/panel.tsx";
import { Ago, OutcomeMark, Rate } from "../../components/values.tsx";
import { count, decimal, percent } from "../../format/numbers.ts";

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ page }: { page: PageDetail }): JSX.Element {
  return (
    <Panel title="Facts" class="wide">
      <dl class="facts facts-columns">
        <Fact name="Changes">
          <Rate perDay={page.rate_per_day} />
        </Fact>
        <Fact name="Chance that the copy is fresh">{percent(page.freshness)}</Fact>
        <Fact name="Last visit">
          <Ago time={page.last_visit} /> {page.last_outcome && <OutcomeMark outcome={page.last_outcome} />}
        </Fact>
        <Fact name="Last change seen">
          <Ago time={page.last_change} />
        </Fact>
        <Fact name="Visits">{count(page.visits)}</Fact>
        <Fact name="Changes seen">{count(page.changes)}</Fact>
        <Fact name="Failed visits">
          {page.failures > 0 ? <span class="warn">{count(page.failures)}</span> : "none"}
        </Fact>
        <Fact name="Weight">{decimal(page.weight)}</Fact>
        <Fact name="Added">
          <Ago time={page.added} />
        </Fact>
        <Fact name="Copy held">
          <Ago time={page.held?.at ?? null} />
        </Fact>
        {page.held?.etag && (
          <Fact name="ETag">
            <code>{page.held.etag}</code>
          </Fact>
        )}
        {page.held?.last_modified && <Fact name="Last-Modified">{page.held.last_modified}</Fact>}
        {page.held?.location && (
          <Fact name="Answers at">
            <code>{page.held.location}</code>
          </Fact>
        )}
      </dl>
    </Panel>
  );
}
