import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { onEvents } from "../api/events.ts";
import { usePagedList, useResource } from "../api/resource.ts";
import type { List, PageRow, SiteRow } from "../api/types.ts";
import { Icon } from "../components/icons.tsx";
import { PageHead } from "../components/panel.tsx";
import { SearchBox } from "../components/search-box.tsx";
import { Empty, Show } from "../components/states.tsx";
import { type Column, More, Table } from "../components/table.tsx";
import { Ago, OutcomeMark, PageLink, Rate, StandingMark } from "../components/values.tsx";
import { count, decimal, percent } from "../format/numbers.ts";
import { changeQuery, Link, usePlace } from "../router.tsx";

const COLUMNS: readonly Column<PageRow>[] = [
  { name: "Page", sort: "url", main: true, cell: (row) => <PageLink id={row.id} url={row.url} /> },
  { name: "Standing", cell: (row) => <StandingMark standing={row.standing} /> },
  {
    name: "Changes",
    sort: "rate",
    startsWith: "desc",
    title: "how often, as estimated",
    cell: (row) => <Rate perDay={row.rate_per_day} />,
  },
  { name: "Fresh", number: true, title: "chance that the copy is up to date", cell: (row) => percent(row.freshness) },
  {
    name: "Last visit",
    sort: "last_visit",
    startsWith: "desc",
    cell: (row) => (
      <span class="visit-cell">
        {row.last_outcome && <OutcomeMark outcome={row.last_outcome} bare />} <Ago time={row.last_visit} short />
      </span>
    ),
  },
  { name: "Last change", sort: "last_change", startsWith: "desc", cell: (row) => <Ago time={row.last_change} short /> },
  { name: "Visits", sort: "visits", startsWith: "desc", number: true, cell: (row) => count(row.visits) },
  {
    name: "Seen",
    sort: "changes",
    startsWith: "desc",
    number: true,
    title: "changes seen",
    cell: (row) => count(row.changes),
  },
  { name: "Weight", sort: "weight", startsWith: "desc", number: true, cell: (row) => decimal(row.weight) },
];

const STANDINGS = ["watched", "paused", "gone", "removed"];

function SiteFilter({ site }: { site: string }): JSX.Element {
  const sites = useResource<List<SiteRow>>("/sites?sort=site&order=asc&limit=500");
  const names = sites.data?.items.map((row) => row.site) ?? [];
  return (
    <label class="field">
      <span>Site</span>
      <input
        list="site-names"
        value={site}
        placeholder="all sites"
        autocomplete="off"
        spellcheck={false}
        onChange={(event) => changeQuery({ site: event.currentTarget.value.trim() })}
      />
      <datalist id="site-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

function Filters({ q, site, standing }: { q: string; site: string; standing: string }): JSX.Element {
  return (
    <div class="filters">
      <SearchBox
        label="Search pages"
        value={q}
        placeholder="Search addresses"
        change={(text) => changeQuery({ q: text })}
      />
      <SiteFilter site={site} />
      <label class="field">
        <span>Standing</span>
        <select value={standing} onChange={(event) => changeQuery({ standing: event.currentTarget.value })}>
          <option value="">any</option>
          {STANDINGS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {(q || site || standing) && (
        <button type="button" class="plain" onClick={() => changeQuery({ q: null, site: null, standing: null })}>
          <Icon name="close" /> Clear
        </button>
      )}
    </div>
  );
}

export function PagesPage(): JSX.Element {
  const { query } = usePlace();
  const q = query.get("q") ?? "";
  const site = query.get("site") ?? "";
  const standing = query.get("standing") ?? "";
  const by = query.get("sort") ?? "url";
  const order = query.get("order") === "desc" ? "desc" : "asc";
  const list = usePagedList<PageRow>("/pages", { q, site, standing, sort: by, order, limit: 50 });
  const filtered = q !== "" || site !== "" || standing !== "";
  const sorting = { by, order, change: (sort: string, next: string) => changeQuery({ sort, order: next }) } as const;
  useEffect(
    () =>
      onEvents((events) => {
        if (events.some(({ kind }) => kind === "pages")) list.reload();
      }),
    [list.reload],
  );
  return (
    <>
      <PageHead
        title="Pages"
        lead="Every page in the store, how often it changes and when it was last seen."
        aside={
          <Link to="/#add" class="button">
            <Icon name="plus" /> Add pages
          </Link>
        }
      />
      <Filters q={q} site={site} standing={standing} />
      <Show resource={list} lines={10}>
        {(data) =>
          data.items.length === 0 ? (
            filtered ? (
              <Empty title="No page matches">
                <p>Try fewer letters, another site or any standing.</p>
              </Empty>
            ) : (
              <Empty title="No pages yet">
                <p>
                  <Link to="/#add">Add addresses</Link> on the overview, or start with{" "}
                  <code>recrawl watch urls.txt --budget 2000/d --serve</code>.
                </p>
              </Empty>
            )
          ) : (
            <>
              <Table
                label="Pages"
                columns={COLUMNS}
                rows={data.items}
                keyOf={(row) => row.id}
                sorting={sorting}
                busy={list.loading}
              />
              <More
                shown={data.items.length}
                total={data.total}
                next={data.next}
                loading={list.loading}
                more={list.more}
                noun="pages"
              />
            </>
          )
        }
      </Show>
    </>
  );
}
