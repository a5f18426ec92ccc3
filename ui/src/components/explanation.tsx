import type { JSX } from "preact";
import type { Explanation } from "../api/types.ts";
import { decimal } from "../format/numbers.ts";

/** Below this depth the tree starts folded. */
const OPEN_DEPTH = 3;

function Line({ node, depth }: { node: Explanation; depth: number }): JSX.Element {
  return (
    <span class="why-line" style={{ "--depth": String(depth) }}>
      <span class="why-value" title={node.value === null ? "beyond all bounds" : String(node.value)}>
        {node.value === null ? "∞" : decimal(node.value)}
      </span>
      <span class="why-meaning">{node.meaning}</span>
    </span>
  );
}

function Branch({ node, depth }: { node: Explanation; depth: number }): JSX.Element {
  if (node.because.length === 0) {
    return (
      <li class="why-leaf">
        <Line node={node} depth={depth} />
      </li>
    );
  }
  return (
    <li>
      <details open={depth < OPEN_DEPTH}>
        <summary>
          <Line node={node} depth={depth} />
        </summary>
        <ul>
          {node.because.map((part, index) => (
            <Branch key={index} node={part} depth={depth + 1} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** The numbers behind a decision: values in one column, meanings indented under what they explain. */
export function ExplanationTree({ node }: { node: Explanation }): JSX.Element {
  return (
    <ul class="why" aria-label="The numbers behind it">
      <Branch node={node} depth={0} />
    </ul>
  );
}
