import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { patch, remove } from "../../api/client.ts";
import type { PageDetail, PageRow } from "../../api/types.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Icon } from "../../components/icons.tsx";
import { Panel } from "../../components/panel.tsx";
import { shortAddress } from "../../components/values.tsx";
import { tell, tellProblem } from "../../shell/notices.tsx";

interface ActionsProps {
  page: PageDetail;
  onChanged: () => void;
}

function WeightForm({ page, onChanged }: ActionsProps): JSX.Element {
  const [weight, setWeight] = useState(String(page.weight));
  useEffect(() => setWeight(String(page.weight)), [page.weight]);
  const submit = (event: Event): void => {
    event.preventDefault();
    patch<PageRow>(`/pages/${page.id}`, { weight: Number(weight) }).then((row) => {
      tell(`The weight is now ${row.weight}.`);
      onChanged();
    }, tellProblem);
  };
  return (
    <form class="weight-form" onSubmit={submit}>
      <label class="field">
        <span>Weight</span>
        <input
          type="number"
          min="0"
          step="any"
          required
          value={weight}
          onInput={(event) => setWeight(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={weight === "" || Number(weight) === page.weight}>
        Set
      </button>
      <p class="quiet small">How much a change of this page counts; 1 is usual.</p>
    </form>
  );
}

function RemoveDialog({ page, onChanged, onClose }: ActionsProps & { onClose: () => void }): JSX.Element {
  const confirm = (): void => {
    onClose();
    remove(`/pages/${page.id}`).then(() => {
      tell("The page is removed. Its history is kept.");
      onChanged();
    }, tellProblem);
  };
  return (
    <Dialog title="Remove this page?" onClose={onClose}>
      <p>
        <b class="address">{shortAddress(page.url)}</b> will not be visited any more. What was learned about it stays in
        the store, and adding its address again brings it back.
      </p>
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="danger" onClick={confirm}>
          Remove
        </button>
      </div>
    </Dialog>
  );
}

export function Actions({ page, onChanged }: ActionsProps): JSX.Element {
  const [removing, setRemoving] = useState(false);
  const stand = (standing: "watched" | "paused"): void => {
    patch<PageRow>(`/pages/${page.id}`, { standing }).then(() => {
      tell(standing === "paused" ? "The page is paused." : "The page is watched again.");
      onChanged();
    }, tellProblem);
  };
  return (
    <Panel title="Actions">
      <div class="actions">
        {page.standing === "paused" || page.standing === "removed" ? (
          <button type="button" onClick={() => stand("watched")}>
            <Icon name="play" /> Resume
          </button>
        ) : (
          <button type="button" onClick={() => stand("paused")}>
            <Icon name="pause" /> Pause
          </button>
        )}
        <button type="button" class="danger" disabled={page.standing === "removed"} onClick={() => setRemoving(true)}>
          <Icon name="trash" /> Remove
        </button>
      </div>
      <WeightForm page={page} onChanged={onChanged} />
      {removing && <RemoveDialog page={page} onChanged={onChanged} onClose={() => setRemoving(false)} />}
    </Panel>
  );
}
