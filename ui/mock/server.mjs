// A stand-in for `recrawl serve` while working on the dashboard: the built assets, the strict policy
// of the real server, and the API over a made-up collection. `--empty` has no pages;
// in `--fast` a second is a day; `--token TEXT` asks for it.
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { answer } from "./api.mjs";
import { makeCollection, visitNow } from "./collection.mjs";
import { generator } from "./random.mjs";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const ASSETS = { "/app.js": "text/javascript", "/app.css": "text/css", "/icon.svg": "image/svg+xml" };
const SCREENS = /^\/(sites|pages|pages\/\d+|policies|activity)?$/;
const EVENT_MILLIS = process.argv.includes("--fast") ? 20 : 900;

const { values } = parseArgs({
  options: {
    empty: { type: "boolean" },
    fast: { type: "boolean" },
    token: { type: "string" },
    port: { type: "string", default: "8177" },
  },
});
const collection = makeCollection(Date.now());
if (values.empty) collection.pages = [];

const random = generator(3);
const readers = new Set();
setInterval(() => {
  if (collection.pages.length === 0) return;
  const visit = visitNow(collection, random);
  for (const reader of readers) reader.write(`event: visit\ndata: ${JSON.stringify(visit)}\n\n`);
}, EVENT_MILLIS);

function sendFile(response, name, type) {
  response.writeHead(200, {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
  });
  createReadStream(fileURLToPath(new URL(`../../crates/serve/assets/${name}`, import.meta.url))).pipe(response);
}

function sendJson(response, status, body) {
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type }).end(body === undefined ? "" : JSON.stringify(body));
}

function sendEvents(request, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(": welcome\n\n");
  readers.add(response);
  request.on("close", () => readers.delete(response));
}

async function bodyOf(request) {
  let text = "";
  for await (const piece of request) text += piece;
  return text === "" ? undefined : JSON.parse(text);
}

async function serveApi(request, response, path, query) {
  if (values.token && request.headers.authorization !== `Bearer ${values.token}`) {
    return sendJson(response, 401, {
      title: "a token is needed",
      status: 401,
      detail: "this server answers only with its token",
      hint: null,
    });
  }
  if (path === "/events") return sendEvents(request, response);
  try {
    const body = answer(collection, request.method, path, query, await bodyOf(request));
    sendJson(response, body === undefined ? 204 : request.method === "POST" && path === "/policies" ? 202 : 200, body);
  } catch (error) {
    const problem = error.problem ?? { title: "mistake in the mock", status: 500, detail: String(error), hint: null };
    sendJson(response, problem.status, problem);
  }
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://mock");
  if (pathname.startsWith("/api/v1/")) void serveApi(request, response, pathname.slice(7), searchParams);
  else if (ASSETS[pathname]) sendFile(response, pathname.slice(1), ASSETS[pathname]);
  else if (SCREENS.test(pathname)) sendFile(response, "index.html", "text/html");
  else sendJson(response, 404, { title: "no such thing", status: 404, detail: pathname, hint: null });
});
server.listen(Number(values.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
