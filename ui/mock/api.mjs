// The routes of the contract over the made-up collection.
import * as whole from "./answers.mjs";
import { rowOf } from "./collection.mjs";
import * as single from "./page-answers.mjs";

class Refusal extends Error {
  constructor(status, title, detail, hint = null) {
    super(detail);
    this.problem = { title, status, detail, hint };
  }
}

const SORTS = {
  rate: "rate_per_day",
  last_visit: "last_visit",
  last_change: "last_change",
  budget_share: "budget_share",
};

function listed(items, query) {
  const field = SORTS[query.get("sort")] ?? query.get("sort") ?? "url";
  const sign = query.get("order") === "desc" ? -1 : 1;
  const sorted = [...items].sort((one, other) => {
    const [a, b] = [one[field], other[field]];
    if (a === b) return 0;
    if (a === null) return 1;
    if (b === null) return -1;
    return a < b ? -sign : sign;
  });
  return paged(sorted, query, 50);
}

function paged(items, query, usual) {
  const limit = Number(query.get("limit") ?? usual);
  const start = Number(query.get("cursor") ?? 0);
  const end = start + limit;
  return { items: items.slice(start, end), next: end < items.length ? String(end) : null, total: items.length };
}

function pages(collection, query) {
  const q = query.get("q")?.toLowerCase() ?? "";
  const rows = collection.pages
    .filter((page) => page.url.toLowerCase().includes(q))
    .filter((page) => !query.get("site") || page.site === query.get("site"))
    .filter((page) => !query.get("standing") || page.standing === query.get("standing"));
  return listed(rows.map(rowOf), query);
}

function addPages(collection, body) {
  const known = new Map(collection.pages.map((page) => [page.url, page]));
  const answer = { added: 0, back: 0, known: 0, pages: [] };
  for (const { url } of body.pages) {
    if (!/^https?:\/\//.test(url))
      throw new Refusal(422, "not an address", `"${url}" is no http or https address`, "begin it with https://");
  }
  for (const { url, weight } of body.pages) {
    let page = known.get(url);
    if (page) {
      answer[page.standing === "watched" ? "known" : "back"]++;
      page.standing = "watched";
    } else {
      page = {
        id: collection.pages.length + 1,
        url,
        site: new URL(url).host,
        standing: "watched",
        weight: weight ?? 1,
        visits: [],
        rate: 0.5,
      };
      collection.pages.push(page);
      answer.added++;
    }
    answer.pages.push({ id: page.id, url });
  }
  return answer;
}

function onePage(collection, method, page, part, query, body) {
  if (part === "") {
    if (method === "DELETE") return void (page.standing = "removed");
    if (method === "PATCH") {
      if (body.weight !== undefined && !(body.weight > 0))
        throw new Refusal(422, "not a weight", "a weight is a number above 0", "pause the page to visit it no more");
      Object.assign(page, body);
    }
    const held = page.visits[0]
      ? { at: page.visits[0].time, etag: '"5f3a-1c"', last_modified: null, location: null }
      : null;
    return { ...rowOf(page), held };
  }
  switch (part) {
    case "history":
      return paged(page.visits, query, 200);
    case "estimates":
      return single.estimates(page);
    case "distribution":
      return single.distribution(page);
    case "next":
      return single.next(page, query.get("at"));
    case "versions":
      return single.versions(page);
    case "diff":
      return single.diff(page);
    default:
      throw new Refusal(404, "no such thing", `a page has no ${part}`);
  }
}

/** Answers a request below /api/v1: the body to send, or undefined for "no content". */
export function answer(collection, method, path, query, body) {
  const page = /^\/pages\/(\d+)(?:\/(\w+))?$/.exec(path);
  if (page) {
    const found = collection.pages[Number(page[1]) - 1];
    if (!found)
      throw new Refusal(404, "no such page", `page ${page[1]} is not in the store`, "look for it under Pages");
    return onePage(collection, method, found, page[2] ?? "", query, body);
  }
  switch (`${method} ${path}`) {
    case "GET /health":
      return { status: "ok" };
    case "GET /overview":
      return whole.overview(collection);
    case "GET /pages":
      return pages(collection, query);
    case "POST /pages":
      return addPages(collection, body);
    case "GET /sites":
      return listed(
        whole.sites(collection).filter(({ site }) => site.includes(query.get("q") ?? "")),
        query,
      );
    case "GET /cycles":
      return { items: whole.cycles(collection) };
    case "GET /errors":
      return { items: whole.errors(collection) };
    case "GET /activity":
      return { items: whole.activity(collection, Number(query.get("limit") ?? 100)) };
    case "GET /policies":
      return whole.policies(collection);
    case "POST /policies":
      collection.policiesRunUntil = Date.now() + 4000;
      return {};
    default:
      throw new Refusal(404, "no such thing", `${method} ${path} is not in this API`);
  }
}
