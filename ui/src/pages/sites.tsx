import type { JSX } from "preact";
import { usePagedList } from "../api/resource.ts";
import type { SiteRow } from "../api/types.ts";
import { PageHead, ShareBar } from "../components/panel.tsx";
import { SearchBox } from "../components/search-box.tsx";
import { Empty, Show } from "../components/states.tsx";
import { type Column, More, Table } from "../components/table.tsx";
import { Rate } from "../components/values.tsx";
import { count, decimal, percent } from "../format/numbers.ts";
import { changeQuery, Link, usePlace } from "../router.tsx";

const COLUMNS: readonly Column<SiteRow>[] = [
  {
    name: "Site",
    sort: "site",
    main: true,
    cell: (row) => <Link to={`/pages?site=${encodeURIComponent(row.site)}`}>{row.site}</Link>,
  },
  { name: "Pages", sort: "pages", startsWith: "desc", number: true, cell: (row) => count(row.pages) },
  { name: "Visits", sort: "visits", startsWith: "desc", number: true, cell: (row) => count(row.visits) },
  { name: "Changes", sort: "changes", startsWith: "desc", number: true, cell: (row) => count(row.changes) },
  {
    name: "Changed",
    sort: "share_changed",
    startsWith: "desc",
    number: true,
    title: "share of the visits that found a change, of those that could tell",
    cell: (row) => <ShareBar share={row.share_changed} text={percent(row.share_changed)} />,
  },
  {
    name: "A page changes",
    sort: "rate",
    startsWith: "desc",
    number: true,
    title: "mean over the site's pages",
    cell: (row) => <Rate perDay={row.rate_per_day} />,
  },
  {
    name: "Budget",
    sort: "budget_share",
    startsWith: "desc",
    number: true,
    title: "share of the visits",
    cell: (row) => <ShareBar share={row.budget_share} text={percent(row.budget_share)} />,
  },
  {
    name: "Fresh",
    sort: "freshness",
    number: true,
    title: "copies expected to be up to date",
    cell: (row) => percent(row.freshness),
  },
  {
    name: "Unseen",
    number: true,
    title: "changes expected that no visit has seen yet",
    cell: (row) => decimal(row.undetected_changes),
  },
  {
    name: "Errors",
    sort: "errors",
    startsWith: "desc",
    number: true,
    title: "visits that could tell nothing",
    cell: (row) => (row.errors > 0 ? <span class="warn">{count(row.errors)}</span> : "0"),
  },
];

export function SitesPage(): JSX.Element {
  const { query } = usePlace();
  const q = query.get("q") ?? "";
  const by = query.get("sort") ?? "visits";
  const order =
    query.get("order") === "asc" || (query.get("order") === null && query.get("sort") === "site") ? "asc" : "desc";
  const list = usePagedList<SiteRow>("/sites", { q, sort: by, order, limit: 100 });
  const sorting = { by, order, change: (sort: string, next: string) => changeQuery({ sort, order: next }) } as const;
  return (
    <>
      <PageHead title="Sites" lead="Where the budget goes and what it finds there." />
      <div class="filters">
        <SearchBox label="Search sites" value={q} change={(text) => changeQuery({ q: text })} />
      </div>
      <Show resource={list} lines={8}>
        {(data) =>
          data.items.length === 0 ? (
            q === "" ? (
              <Empty title="No sites yet">
                <p>
                  A site appears with its first page. <Link to="/#add">Add pages</Link> on the overview.
                </p>
              </Empty>
            ) : (
              <Empty title={`No site has “${q}” in its name`} />
            )
          ) : (
            <>
              <Table
                label="Sites"
                columns={COLUMNS}
                rows={data.items}
                keyOf={(row) => row.site}
                sorting={sorting}
                busy={list.loading}
              />
              <More
                shown={data.items.length}
                total={data.total}
                next={data.next}
                loading={list.loading}
                more={list.more}
                noun="sites"
              />
            </>
          )
        }
      </Show>
    </>
  );
}
