import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { onEvents } from "../../api/events.ts";
import { usePagedList, useResource } from "../../api/resource.ts";
import type { PageDetail, PastVisit } from "../../api/types.ts";
import { Show } from "../../components/states.tsx";
import { OutsideLink, shortAddress, StandingMark } from "../../components/values.tsx";
import { Link } from "../../router.tsx";
import { Actions } from "./actions.tsx";
import { DiffPanel } from "./diff-panel.tsx";
import { DistributionPanel } from "./distribution-panel.tsx";
import { EstimatesPanels } from "./estimates-panels.tsx";
import { Facts } from "./facts.tsx";
import { NextPanel } from "./next-panel.tsx";
import { VisitsPanel } from "./visits-panel.tsx";
import { VersionsPanel } from "./versions-panel.tsx";

/** A page that is visited many times a second is asked for at most this often. */
const REFRESH_MILLIS = 2_000;

export function PagePage({ id }: { id: number }): JSX.Element {
  const page = useResource<PageDetail>(`/pages/${id}`);
  const history = usePagedList<PastVisit>(`/pages/${id}/history`, { limit: 200 });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvents((events) => {
      if (!events.some((event) => event.kind === "visit" && event.data.page === id)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        page.reload();
        history.reload();
      }, REFRESH_MILLIS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [id, page.reload, history.reload]);
  const url = page.data?.url;
  useEffect(() => {
    if (url !== undefined) document.title = `${shortAddress(url)} · Recrawl`;
  }, [url]);
  const known = page.data?.visits ?? 0;
  return (
    <>
      <nav class="crumbs" aria-label="Where this page belongs">
        <Link to="/pages">Pages</Link>
        {page.data && <Link to={`/pages?site=${encodeURIComponent(page.data.site)}`}>{page.data.site}</Link>}
      </nav>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1} class="address" title={page.data?.url}>
            {page.data ? shortAddress(page.data.url) : `Page ${id}`}
          </h1>
          {page.data && (
            <p class="lead">
              <StandingMark standing={page.data.standing} /> <OutsideLink url={page.data.url} />
            </p>
          )}
        </div>
      </header>
      <Show resource={page} lines={10}>
        {(data) => (
          <div class="grid grid-main">
            <Facts page={data} />
            <Actions page={data} onChanged={page.reload} />
            <VisitsPanel history={history} />
            <NextPanel id={id} visits={history.data?.items ?? []} visited={known} />
            <EstimatesPanels id={id} visits={known} />
            <DistributionPanel id={id} visits={known} />
            <DiffPanel id={id} visits={known} />
            <VersionsPanel id={id} visits={known} />
          </div>
        )}
      </Show>
    </>
  );
}
