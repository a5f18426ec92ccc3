import type { JSX } from "preact";
import type { DueVisit, Overview } from "../../api/types.ts";
import { Panel } from "../../components/panel.tsx";
import { Empty } from "../../components/states.tsx";
import { PageLink } from "../../components/values.tsx";
import { decimal } from "../../format/numbers.ts";

export function DuePanel({ due, mode }: { due: DueVisit[]; mode: Overview["mode"] }): JSX.Element {
  const shared = due.every(({ meaning }) => meaning === due[0]?.meaning) ? due[0]?.meaning : undefined;
  return (
    <Panel
      title="Due next"
      class="wide"
      aside={due.length > 0 && <span class="quiet">{shared ? `score: ${shared}` : "score"}</span>}
    >
      {due.length === 0 ? (
        <Empty title="Nothing is due">
          <p>{mode === "watch" ? "The watcher has no visit waiting." : "Visits are planned while a watcher runs."}</p>
        </Empty>
      ) : (
        <ol class="due">
          {due.map((visit) => (
            <li key={visit.page}>
              <PageLink id={visit.page} url={visit.url} />
              <span class="due-score" title={visit.meaning}>
                {decimal(visit.score)}
              </span>
              {shared === undefined && <span class="due-meaning">{visit.meaning}</span>}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
