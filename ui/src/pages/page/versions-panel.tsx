import type { JSX } from "preact";
import { useResource } from "../../api/resource.ts";
import type { Version } from "../../api/types.ts";
import { Panel } from "../../components/panel.tsx";
import { Empty, Show } from "../../components/states.tsx";
import { Ago } from "../../components/values.tsx";
import { bytes } from "../../format/numbers.ts";

export function VersionsPanel({ id, visits }: { id: number; visits: number }): JSX.Element {
  const versions = useResource<{ items: Version[] }>(`/pages/${id}/versions`, { follows: visits });
  return (
    <Panel title="Versions held">
      <Show resource={versions} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No copy is held">
              <p>
                The watcher keeps the last two versions, more with <code>--keep</code>.
              </p>
            </Empty>
          ) : (
            <ol class="versions">
              {items.map((version) => (
                <li key={version.at}>
                  <Ago time={version.at} />
                  <span>{bytes(version.bytes)}</span>
                  <span class="quiet small">{version.content_type ?? "type not told"}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Show>
    </Panel>
  );
}
