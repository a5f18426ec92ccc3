import type { JSX } from "preact";
import type { DiffLine } from "../api/types.ts";

const MARKS: Record<DiffLine["kind"], string> = { same: " ", added: "+", removed: "−", skipped: "⋯" };
const WORDS: Record<DiffLine["kind"], string> = {
  same: "",
  added: "added: ",
  removed: "removed: ",
  skipped: "left out: ",
};

/** Lines of a change. Everything is text: a watched page never becomes markup here. */
export function DiffLines({ lines }: { lines: readonly DiffLine[] }): JSX.Element {
  return (
    <ol class="diff" tabIndex={0} aria-label="Lines of the last change">
      {lines.map((line, index) => (
        <li key={index} class={`diff-${line.kind}`}>
          <span class="diff-mark" aria-hidden="true">
            {MARKS[line.kind]}
          </span>
          {WORDS[line.kind] && <span class="unseen">{WORDS[line.kind]}</span>}
          <span class="diff-text">{line.text}</span>
        </li>
      ))}
    </ol>
  );
}
