import { Component, type JSX } from "preact";
import { serverNow } from "../clock.ts";
import { OutcomeMark, PageLink } from "../components/values.tsx";
import { bytes, count } from "../format/numbers.ts";
import { absolute, logTime } from "../format/times.ts";
import type { LiveEntry } from "./live-list.ts";

function Line({ entry }: { entry: LiveEntry }): JSX.Element {
  const fresh = entry.live ? "event event-new" : "event";
  if (entry.kind === "word") {
    return (
      <li class={`${fresh} event-word`}>
        <time dateTime={entry.time} title={absolute(entry.time)}>
          {logTime(entry.time, serverNow())}
        </time>
        <span class="event-text">{entry.text}</span>
      </li>
    );
  }
  const { visit } = entry;
  return (
    <li class={fresh} data-visit={visit.visit}>
      <time dateTime={visit.time} title={absolute(visit.time)}>
        {logTime(visit.time, serverNow())}
      </time>
      <OutcomeMark outcome={visit.outcome} />
      <span class="event-page">
        <PageLink id={visit.page} url={visit.url} />
        {visit.reason && <span class="event-reason">{visit.reason}</span>}
      </span>
      <span class="event-numbers quiet">
        {visit.status > 0 && <span>{visit.status}</span>}
        <span>{bytes(visit.bytes)}</span>
        <span>{count(visit.millis)} ms</span>
      </span>
    </li>
  );
}

/** A line is drawn once: entries never change, and many may come at a time. */
export class LiveLine extends Component<{ entry: LiveEntry }> {
  override shouldComponentUpdate(next: { entry: LiveEntry }): boolean {
    return next.entry !== this.props.entry;
  }

  override render(): JSX.Element {
    return <Line entry={this.props.entry} />;
  }
}
