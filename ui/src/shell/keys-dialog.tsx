import type { JSX } from "preact";
import { Dialog } from "../components/dialog.tsx";
import { DESTINATIONS } from "./keys.ts";

export function KeysDialog({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {DESTINATIONS.map(({ key, name }) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Search</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>This list</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close a dialog</dd>
        </div>
      </dl>
    </Dialog>
  );
}
