import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWith, changeAnswer, openBusiestPage, openTab, stage } from "./support.mjs";

const scene = stage();
const PROBE = `"><img src=x onerror="window.broken=1"><script>window.broken=1</script>`;
const RUN = "javascript:window.broken=1//";

/** Every text of an answer made hostile, but what the dashboard chooses words by. */
function poison(value, name = "") {
  if (Array.isArray(value)) return value.map((item) => poison(item, name));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poison(item, key)]));
  if (
    typeof value === "string" &&
    ["reason", "text", "meaning", "note", "method", "site", "content_type", "etag", "policy"].includes(name)
  )
    return PROBE + value;
  if (name === "url") return RUN + PROBE;
  return value;
}

async function assertClean(page) {
  const found = await page.evaluate(() => ({
    broken: window.broken ?? null,
    images: [...document.querySelectorAll("img")].filter((image) => !image.src.endsWith("/icon.svg")).length,
    scripts: document.querySelectorAll("body script").length,
    runs: [...document.querySelectorAll("a")].filter((link) => link.protocol === "javascript:").length,
    handlers: document.querySelectorAll("[onerror], [onload], [onclick]").length,
  }));
  assert.deepEqual(found, { broken: null, images: 0, scripts: 0, runs: 0, handlers: 0 });
}

for (const path of ["/", "/sites", "/pages", "/activity"]) {
  test(`texts of watched pages stay texts on ${path}`, async (t) => {
    const { page } = await openTab(scene, t);
    await changeAnswer(page, /\/api\/v1\/(?!events)/, poison);
    await page.goto(path);
    await page.getByText("onerror").first().waitFor();
    await assertClean(page);
  });
}

test("names of policies stay texts", async (t) => {
  const { page } = await openTab(scene, t);
  const result = {
    policy: PROBE,
    change_ratio: 0.3,
    change_ratio_error: null,
    changes_caught: null,
    freshness: null,
    age_seconds: null,
  };
  const setting = {
    as_of: null,
    start: null,
    end: null,
    cycle_seconds: null,
    cycles: null,
    budget: null,
    pages: null,
    runs: null,
  };
  await answerWith(page, "**/api/v1/policies", 200, { status: "ready", note: PROBE, ...setting, results: [result] });
  await page.goto("/policies");
  await page.locator(".policy-name", { hasText: "onerror" }).waitFor();
  await assertClean(page);
});

test("texts of a watched page stay texts on its own page", async (t) => {
  const { page } = await openTab(scene, t);
  await openBusiestPage(page);
  await changeAnswer(page, /\/api\/v1\/pages\/\d+/, poison);
  await answerWith(page, /\/diff$/, 200, {
    from: null,
    to: null,
    note: PROBE,
    lines: ["same", "added", "removed", "skipped"].map((kind) => ({ kind, text: PROBE })),
  });
  await page.reload();
  await page.locator(".diff", { hasText: "onerror" }).waitFor();
  await page.locator(".why", { hasText: "onerror" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Open the page" }).count(), 0, "only http and https are linked");
  await assertClean(page);
});

test("texts of live events stay texts", async (t) => {
  const { page } = await openTab(scene, t);
  const visit = {
    visit: 1e12,
    time: "2099-01-01T00:00:00Z",
    page: 1,
    url: RUN + PROBE,
    site: PROBE,
    outcome: "unknown",
    status: 0,
    reason: PROBE,
    bytes: 0,
    millis: 1,
  };
  const stream = `event: visit\ndata: ${JSON.stringify(visit)}\n\nevent: cycle\ndata: ${JSON.stringify({ number: PROBE, began: PROBE, budget: PROBE })}\n\nevent: visit\ndata: {broken\n\n`;
  await answerWith(page, "**/api/v1/events", 200, stream, "text/event-stream");
  await page.goto("/activity");
  await page.locator(".event-new .event-reason", { hasText: "onerror" }).first().waitFor();
  await page.locator(".event-word", { hasText: "cycle" }).first().waitFor();
  await assertClean(page);
});

test("the policy of the server forbids inline scripts", async (t) => {
  const { page } = await openTab(scene, t);
  const response = await page.goto("/");
  const policy = response.headers()["content-security-policy"] ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.ok(!policy.includes("unsafe"), policy);
});
