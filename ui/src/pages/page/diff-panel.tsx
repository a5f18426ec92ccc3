import type { JSX } from "preact";
import { useResource } from "../../api/resource.ts";
import type { Diff } from "../../api/types.ts";
import { DiffLines } from "../../components/diff.tsx";
import { Panel } from "../../components/panel.tsx";
import { Empty, Show } from "../../components/states.tsx";
import { Ago } from "../../components/values.tsx";
import { plural } from "../../format/numbers.ts";

function Between({ diff }: { diff: Diff }): JSX.Element {
  const number = (kind: string): number => diff.lines.filter((line) => line.kind === kind).length;
  return (
    <span class="quiet">
      {plural(number("added"), "line")} added, {number("removed")} removed
      {diff.from && diff.to && (
        <>
          ; from <Ago time={diff.from} /> to <Ago time={diff.to} />
        </>
      )}
    </span>
  );
}

export function DiffPanel({ id, visits }: { id: number; visits: number }): JSX.Element {
  const diff = useResource<Diff>(`/pages/${id}/diff`, { follows: visits });
  return (
    <Panel
      title="The last change"
      class="wide"
      aside={diff.data && diff.data.lines.length > 0 && <Between diff={diff.data} />}
    >
      <Show resource={diff} lines={6}>
        {({ lines, note }) =>
          lines.length === 0 ? (
            <Empty title="No change to show">{note && <p>{note}</p>}</Empty>
          ) : (
            <>
              <DiffLines lines={lines} />
              {note && <p class="note quiet small">{note}</p>}
            </>
          )
        }
      </Show>
    </Panel>
  );
}
