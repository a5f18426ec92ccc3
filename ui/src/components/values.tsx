import type { JSX } from "preact";
import type { Outcome, Standing } from "../api/types.ts";
import { useNow } from "../clock.ts";
import { everyRate, perDay, shortSpan, span } from "../format/numbers.ts";
import { absolute, relative } from "../format/times.ts";
import { Link } from "../router.tsx";
import { Icon } from "./icons.tsx";

interface AgoProps {
  time: string | null;
  short?: boolean;
  /** It may lie ahead; all else has happened, whatever the clock says. */
  ahead?: boolean;
}

/** 3 minutes ago, with the moment itself in its title. */
export function Ago({ time, short, ahead }: AgoProps): JSX.Element {
  const now = useNow();
  if (time === null) return <span class="quiet">never</span>;
  return (
    <time dateTime={time} title={absolute(time)}>
      {relative(time, ahead ? now : Math.max(now, Date.parse(time)), short ? shortSpan : span)}
    </time>
  );
}

export function Rate({ perDay: rate }: { perDay: number | null }): JSX.Element {
  if (rate === null)
    return (
      <span class="quiet" title="too few visits to tell">
        not known
      </span>
    );
  return (
    <span class="rate" title={perDay(rate)}>
      {everyRate(rate)}
    </span>
  );
}

/** Each outcome has a shape of its own, so that colour is not needed to tell them apart. */
export function OutcomeShape({
  outcome,
  x,
  y,
  size,
}: {
  outcome: Outcome;
  x: number;
  y: number;
  size: number;
}): JSX.Element {
  const name = `mark mark-${outcome}`;
  switch (outcome) {
    case "changed":
      return <path class={name} d={`M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}Z`} />;
    case "unchanged":
      return <circle class={name} cx={x} cy={y} r={size * 0.7} />;
    case "first":
      return <rect class={name} x={x - size * 0.8} y={y - size * 0.8} width={size * 1.6} height={size * 1.6} />;
    case "unknown": {
      const arm = size * 0.75;
      return (
        <path
          class={name}
          d={`M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}`}
        />
      );
    }
  }
}

/** The shape with its name, or in dense lists the shape alone, named in its title. */
export function OutcomeMark({ outcome, bare }: { outcome: Outcome; bare?: boolean }): JSX.Element {
  return (
    <span class="outcome" title={bare ? outcome : undefined}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <OutcomeShape outcome={outcome} x={6} y={6} size={5} />
      </svg>
      <span class={bare ? "unseen" : undefined}>{outcome}</span>
    </span>
  );
}

export function StandingMark({ standing }: { standing: Standing }): JSX.Element {
  return <span class={`chip chip-${standing}`}>{standing}</span>;
}

/** The address without what all share, broken only where it must be. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

export function PageLink({ id, url }: { id: number; url: string }): JSX.Element {
  return (
    <Link to={`/pages/${id}`} class="page-link" title={url}>
      {shortAddress(url)}
    </Link>
  );
}

/** A link out, only for addresses a browser fetches and nothing it would run. */
export function OutsideLink({ url }: { url: string }): JSX.Element | null {
  if (!/^https?:\/\//i.test(url)) return null;
  return (
    <a class="outside" href={url} target="_blank" rel="noopener noreferrer nofollow">
      Open the page <Icon name="outside" />
    </a>
  );
}
