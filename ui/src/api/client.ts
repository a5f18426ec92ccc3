import { createStore } from "../store.ts";

const BASE = "/api/v1";
const TOKEN_KEY = "recrawl-token";

/** What went wrong, in the words of the server where it had any. */
export class ApiProblem extends Error {
  constructor(
    readonly title: string,
    readonly status: number,
    readonly detail: string | null,
    readonly hint: string | null,
  ) {
    super(detail ?? title);
  }
}

/** Who is asking. `attempt` grows with each token given, so that what failed asks again. */
export const session = createStore({ attempt: 0, tokenWanted: false });

export function giveToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
  session.set({ attempt: session.get().attempt + 1, tokenWanted: false });
}

export function tokenRefused(): boolean {
  return sessionStorage.getItem(TOKEN_KEY) !== null;
}

function headers(body: unknown): Record<string, string> {
  const all: Record<string, string> = {};
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (token !== null) all["authorization"] = `Bearer ${token}`;
  if (body !== undefined) all["content-type"] = "application/json";
  return all;
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const title = response.statusText || `status ${response.status}`;
  try {
    const body: unknown = await response.json();
    const text = (name: string): string | null => {
      const value = (body as Record<string, unknown> | null)?.[name];
      return typeof value === "string" ? value : null;
    };
    return new ApiProblem(text("title") ?? title, response.status, text("detail"), text("hint"));
  } catch {
    return new ApiProblem(title, response.status, null, null);
  }
}

/** Sends a request; throws an [`ApiProblem`] for everything but success. */
export async function send(
  method: string,
  path: string,
  options: { body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers: headers(options.body),
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
      cache: "no-store",
      credentials: "same-origin",
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiProblem("the server does not answer", 0, null, "is recrawl still running?");
  }
  if (response.ok) return response;
  if (response.status === 401) session.set({ ...session.get(), tokenWanted: true });
  throw await problemOf(response);
}

export async function get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await send("GET", path, signal ? { signal } : {});
  return (await response.json()) as Answer;
}

export async function post<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await send("POST", path, { body });
  const text = await response.text();
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

export async function patch<Answer>(path: string, body: unknown): Promise<Answer> {
  return (await (await send("PATCH", path, { body })).json()) as Answer;
}

export async function remove(path: string): Promise<void> {
  await send("DELETE", path, { body: {} });
}

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem("the answer could not be read", 0, error instanceof Error ? error.message : null, null);
}

/** A path with a query, leaving out what is empty. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}
