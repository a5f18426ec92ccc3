import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { createStore, useStore } from "../store.ts";
import { type ApiProblem, asProblem, get, session, withQuery } from "./client.ts";
import type { List } from "./types.ts";

const everything = createStore(0);

/** Asks again for all that is on screen: after an outage, what failed is seldom one thing. */
export function reloadEverything(): void {
  everything.set(everything.get() + 1);
}

export interface Resource<Answer> {
  data: Answer | null;
  problem: ApiProblem | null;
  /** A request is under way; `data` may still be the last answer. */
  loading: boolean;
  reload: () => void;
}

interface State<Answer> {
  path: string | null;
  data: Answer | null;
  problem: ApiProblem | null;
  loading: boolean;
}

/**
 * Follows one GET. The last answer stays while the same path is asked again, so nothing jumps; with
 * `keep` it also stays while another path is asked. A new value of `follows` asks again.
 */
export function useResource<Answer>(
  path: string | null,
  options: { keep?: boolean; follows?: number } = {},
): Resource<Answer> {
  const { attempt } = useStore(session);
  const rounds = useStore(everything);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<Answer>>({ path, data: null, problem: null, loading: path !== null });

  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    setState((last) => ({
      path,
      data: last.path === path || options.keep ? last.data : null,
      problem: last.path === path ? last.problem : null,
      loading: true,
    }));
    get<Answer>(path, abort.signal).then(
      (data) => setState({ path, data, problem: null, loading: false }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((last) => ({ ...last, problem: asProblem(error), loading: false }));
      },
    );
    return () => abort.abort();
  }, [path, round, rounds, attempt, options.keep, options.follows]);

  const reload = useCallback(() => setRound((last) => last + 1), []);
  const current = state.path === path || options.keep;
  return {
    data: current ? state.data : null,
    problem: current ? state.problem : null,
    loading: current ? state.loading : path !== null,
    reload,
  };
}

export interface PagedList<Item> extends Resource<List<Item>> {
  /** Asks for the items after the last one shown. */
  more: () => void;
}

/** Follows a list that is read by cursor. */
export function usePagedList<Item>(path: string, query: Record<string, string | number | null>): PagedList<Item> {
  const first = useResource<List<Item>>(withQuery(path, query), { keep: true });
  const [tail, setTail] = useState<{ head: List<Item>; rest: List<Item> } | null>(null);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const head = useRef(first.data);
  head.current = first.data;

  const rest = tail !== null && tail.head === first.data ? tail.rest : null;
  const next = rest ? rest.next : (first.data?.next ?? null);
  const more = useCallback(() => {
    const start = head.current;
    if (start === null || next === null) return;
    setAsking(true);
    setProblem(null);
    get<List<Item>>(withQuery(path, { ...query, cursor: next }))
      .then(
        (page) => {
          if (head.current !== start) return;
          const before = rest?.items ?? [];
          setTail({ head: start, rest: { ...page, items: [...before, ...page.items] } });
        },
        (error: unknown) => setProblem(asProblem(error)),
      )
      .finally(() => setAsking(false));
  }, [path, JSON.stringify(query), next, rest]);

  const data = first.data && { items: [...first.data.items, ...(rest?.items ?? [])], next, total: first.data.total };
  return { data, problem: first.problem ?? problem, loading: first.loading || asking, reload: first.reload, more };
}
