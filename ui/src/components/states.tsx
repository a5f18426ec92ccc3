import type { ComponentChildren, JSX } from "preact";
import type { ApiProblem } from "../api/client.ts";
import { reloadEverything, type Resource } from "../api/resource.ts";
import { Icon } from "./icons.tsx";

/** What a failed request said, and a way to try again. */
export function Problem({ problem, retry }: { problem: ApiProblem; retry?: () => void }): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p class="problem-title">
        {problem.title}
        {problem.status > 0 && <span class="quiet"> ({problem.status})</span>}
      </p>
      {problem.detail && problem.detail !== problem.title && <p>{problem.detail}</p>}
      {problem.hint && <p class="quiet">{problem.hint}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          <Icon name="again" /> Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Grey lines in the place of what is to come. */
export function Skeleton({ lines = 4 }: { lines?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

interface ShowProps<Answer> {
  resource: Resource<Answer>;
  lines?: number;
  children: (data: Answer) => ComponentChildren;
}

/** Loading, failed, or the answer. An old answer stays on screen beside a new failure. */
export function Show<Answer>({ resource, lines, children }: ShowProps<Answer>): JSX.Element {
  const { data, problem } = resource;
  return (
    <>
      {problem && problem.status !== 401 && <Problem problem={problem} retry={reloadEverything} />}
      {data !== null ? children(data) : !problem && <Skeleton {...(lines ? { lines } : {})} />}
    </>
  );
}
