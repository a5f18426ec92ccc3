import type { ComponentChildren, JSX } from "preact";

export interface Column<Row> {
  name: string;
  /** What the API sorts by, where it does. */
  sort?: string;
  /** The order a first click asks for. */
  startsWith?: "asc" | "desc";
  number?: boolean;
  /** Heads the card that a row becomes on a narrow screen. */
  main?: boolean;
  /** Takes the whole width of a card. */
  long?: boolean;
  title?: string;
  cell: (row: Row) => ComponentChildren;
}

export interface Sorting {
  by: string;
  order: "asc" | "desc";
  change: (by: string, order: "asc" | "desc") => void;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  sorting?: Sorting;
  busy?: boolean;
}

function HeadCell<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }): JSX.Element {
  const name = column.number ? "number" : undefined;
  if (!sorting || !column.sort) {
    return (
      <th role="columnheader" scope="col" class={name} title={column.title}>
        {column.name}
      </th>
    );
  }
  const by = column.sort;
  const active = sorting.by === by;
  const first = column.startsWith ?? "asc";
  const next = active ? (sorting.order === "asc" ? "desc" : "asc") : first;
  const state = active ? (sorting.order === "asc" ? "ascending" : "descending") : "none";
  return (
    <th role="columnheader" scope="col" class={name} title={column.title} aria-sort={state}>
      <button type="button" class="sort" onClick={() => sorting.change(by, next)}>
        {column.name}
        <span class="sort-arrow" aria-hidden="true">
          {active ? (sorting.order === "asc" ? "↑" : "↓") : "↕"}
        </span>
      </button>
    </th>
  );
}

/** Narrow screens hide the heads; this takes their place. */
function SortChoice<Row>({ columns, sorting }: { columns: readonly Column<Row>[]; sorting: Sorting }): JSX.Element {
  const choose = (event: Event): void => {
    const [by, order] = (event.currentTarget as HTMLSelectElement).value.split(" ") as [string, "asc" | "desc"];
    sorting.change(by, order);
  };
  return (
    <label class="sort-choice">
      <span>Sort by</span>
      <select value={`${sorting.by} ${sorting.order}`} onChange={choose}>
        {columns.flatMap(({ name, sort }) =>
          sort === undefined
            ? []
            : (["asc", "desc"] as const).map((order) => (
                <option key={sort + order} value={`${sort} ${order}`}>
                  {name} {order === "asc" ? "↑" : "↓"}
                </option>
              )),
        )}
      </select>
    </label>
  );
}

/** A table; on a phone each row is a card. Roles are spelled out because cards lose a table's own. */
export function Table<Row>({ label, columns, rows, keyOf, sorting, busy }: TableProps<Row>): JSX.Element {
  return (
    <div class="table-box">
      {sorting && <SortChoice columns={columns} sorting={sorting} />}
      <table
        role="table"
        class={sorting ? "cards sorted" : "cards"}
        aria-label={label}
        aria-busy={busy ? "true" : undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <HeadCell key={column.name} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row" key={keyOf(row)}>
              {columns.map((column) => (
                <td
                  role="cell"
                  key={column.name}
                  data-name={column.name}
                  class={
                    [column.number && "number", column.main && "main", column.long && "long"]
                      .filter(Boolean)
                      .join(" ") || undefined
                  }
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a list shows of how many, and the way to the rest. */
export function More({
  shown,
  total,
  next,
  loading,
  more,
  noun,
}: {
  shown: number;
  total: number;
  next: string | null;
  loading: boolean;
  more: () => void;
  noun: string;
}): JSX.Element {
  const numbers = new Intl.NumberFormat("en");
  return (
    <div class="more">
      <span class="quiet" role="status">
        {numbers.format(shown)} of {numbers.format(total)} {noun}
      </span>
      {next !== null && (
        <button type="button" onClick={more} disabled={loading}>
          {loading ? "Loading…" : "More"}
        </button>
      )}
    </div>
  );
}
