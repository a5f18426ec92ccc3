import type { JSX } from "preact";
import { withQuery } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import type { NextVisit, PastVisit } from "../../api/types.ts";
import { ExplanationTree } from "../../components/explanation.tsx";
import { Panel } from "../../components/panel.tsx";
import { Empty, Show } from "../../components/states.tsx";
import { Ago } from "../../components/values.tsx";
import { count } from "../../format/numbers.ts";
import { absolute } from "../../format/times.ts";
import { changeQuery, usePlace } from "../../router.tsx";

function WhenChoice({ at, visits }: { at: string | null; visits: readonly PastVisit[] }): JSX.Element {
  const listed = at === null || visits.some(({ time }) => time === at);
  return (
    <label class="field">
      <span>Why</span>
      <select value={at ?? ""} onChange={(event) => changeQuery({ at: event.currentTarget.value })}>
        <option value="">will it be visited next?</option>
        {!listed && <option value={at}>was it visited at {absolute(at)}?</option>}
        {visits.map(({ time, outcome }) => (
          <option key={time} value={time}>
            was it visited at {absolute(time)}? ({outcome})
          </option>
        ))}
      </select>
    </label>
  );
}

function Sentence({ next, past }: { next: NextVisit; past: boolean }): JSX.Element {
  const { time, place, note } = next.next_visit;
  return (
    <>
      <p class="sentence note">
        {!past && time !== null && (
          <>
            <b>
              <Ago time={time} ahead />
            </b>
            {place !== null ? ": " : "."}
          </>
        )}
        {place !== null && (
          <>
            place <b>{count(place)}</b> of what {past ? "was due at that moment" : "is due"}.
          </>
        )}
        {place === null && (past || time === null) && note}
      </p>
      {(place !== null || (time !== null && !past)) && <p class="note quiet small next-note">{note}</p>}
    </>
  );
}

/** The next visit, or one of the past, and the tree of numbers behind it. */
export function NextPanel({
  id,
  visits,
  visited,
}: {
  id: number;
  visits: readonly PastVisit[];
  visited: number;
}): JSX.Element {
  const { query } = usePlace();
  const at = query.get("at");
  // A visit changes what comes next and nothing of what was, so only the former follows the number of visits.
  const next = useResource<NextVisit>(withQuery(`/pages/${id}/next`, { at }), {
    keep: true,
    follows: at === null ? visited : 0,
  });
  return (
    <Panel title={at === null ? "Next visit" : "A visit of the past"} class="wide">
      <div id="next-visit">
        <WhenChoice at={at} visits={visits} />
        <Show resource={next} lines={6}>
          {(data) => (
            <div aria-live="polite" aria-busy={next.loading}>
              <Sentence next={data} past={at !== null} />
              {data.why ? <ExplanationTree node={data.why} /> : <Empty title="No numbers to show for this" />}
            </div>
          )}
        </Show>
      </div>
    </Panel>
  );
}
