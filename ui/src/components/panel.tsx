import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  title: string;
  /** What stands at the right of the title. */
  aside?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

export function Panel({ title, aside, class: extra, children }: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section class={extra ? `panel ${extra}` : "panel"} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="panel-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

interface PageHeadProps {
  title: string;
  lead?: ComponentChildren;
  aside?: ComponentChildren;
}

export function PageHead({ title, lead, aside }: PageHeadProps): JSX.Element {
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {aside && <div class="page-aside">{aside}</div>}
    </header>
  );
}

/** One number with its name and what to make of it. */
export function Tile({
  name,
  value,
  note,
  title,
}: {
  name: string;
  value: ComponentChildren;
  note?: ComponentChildren;
  title?: string;
}): JSX.Element {
  return (
    <div class="tile" title={title}>
      <dt>{name}</dt>
      <dd>
        <span class="tile-value">{value}</span>
        <span class="tile-note">{note ?? "\u00a0"}</span>
      </dd>
    </div>
  );
}

/** A share as a bar with its number beside it. */
export function ShareBar({ share, text }: { share: number | null; text: string }): JSX.Element {
  const part = share === null ? 0 : Math.min(1, Math.max(0, share));
  return (
    <span class="share">
      <span class="share-text">{text}</span>
      <svg class="share-bar" aria-hidden="true" width="44" height="6" viewBox="0 0 44 6">
        <rect class="share-track" width="44" height="6" rx="3" />
        {part > 0 && <rect class="share-fill" width={Math.max(3, 44 * part)} height="6" rx="3" />}
      </svg>
    </span>
  );
}
