import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWith, changeAnswer, openBusiestPage, openTab, screenshot, SCREENS, stage } from "./support.mjs";

const scene = stage();
const PROBLEM = {
  title: "the store is busy",
  status: 503,
  detail: "a compaction holds the store",
  hint: "try again in a minute",
};
const NO_ITEMS = { items: [], next: null, total: 0 };

for (const { name, path } of SCREENS) {
  test(`${name} says what failed and how to go on`, async (t) => {
    const { page } = await openTab(scene, t);
    await answerWith(page, "**/api/v1/**", 503, PROBLEM);
    await page.goto(path);
    const alert = page.getByRole("alert").first();
    await alert.waitFor();
    const text = await alert.textContent();
    for (const part of [PROBLEM.title, PROBLEM.detail, PROBLEM.hint]) assert.ok(text.includes(part), text);
    await page.unroute("**/api/v1/**");
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.locator(".problem").first().waitFor({ state: "detached" });
  });
}

test("a page that is not there is said to be missing", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/pages/999999999");
  assert.match(await page.getByRole("alert").first().textContent(), /404/);
});

test("a store without pages tells what to do", async (t) => {
  const { page } = await openTab(scene, t);
  await changeAnswer(page, "**/api/v1/overview", (body) => ({
    ...body,
    pages: { watched: 0, paused: 0, gone: 0, removed: 0 },
    sites: 0,
    freshness: null,
    age_seconds: null,
    undetected_changes: null,
    series: [],
    activity: [],
    cycle: null,
    forecast: null,
    due: [],
    totals: { visits: 0, first: 0, changed: 0, unchanged: 0, unknown: 0 },
  }));
  await answerWith(page, /\/api\/v1\/(pages|sites|errors|activity|cycles)\b/, 200, NO_ITEMS);
  await page.goto("/");
  await page.getByText("This store has no pages yet").waitFor();
  await page.getByRole("heading", { name: "Add pages" }).waitFor();
  await screenshot(page, "empty-overview");
  for (const [path, text] of [
    ["/pages", "No pages yet"],
    ["/sites", "No sites yet"],
    ["/activity", "No visits yet"],
    ["/policies", "No cycle yet"],
  ]) {
    await page.goto(path);
    await page.getByText(text).waitFor();
  }
});

test("a young store shows dashes and words, not broken charts", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await changeAnswer(page, "**/api/v1/overview", (body) => ({
    ...body,
    freshness: null,
    age_seconds: null,
    undetected_changes: null,
    series: [],
    activity: [],
    cycle: null,
    forecast: null,
    due: [],
    policy: null,
    mode: "serve",
  }));
  await page.goto("/");
  for (const text of [
    "No curve yet",
    "No visits yet",
    "No forecast yet",
    "No budget is being spent",
    "Nothing is due",
  ]) {
    await page.getByText(text).first().waitFor();
  }
  assert.deepEqual(faults, []);
});

test("a page without visits shows each part as empty", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await answerWith(page, /\/history\b/, 200, NO_ITEMS);
  await answerWith(page, /\/estimates$/, 200, { items: [], over_time: [], over_time_method: "gamma" });
  await answerWith(page, /\/distribution$/, 200, {
    method: "ml",
    points: [],
    note: "fewer than two changes were seen",
  });
  await answerWith(page, /\/versions$/, 200, { items: [] });
  await answerWith(page, /\/diff$/, 200, { from: null, to: null, lines: [], note: "fewer than two versions are held" });
  await answerWith(page, /\/next\b/, 200, {
    page: 1,
    at: "2026-01-01T00:00:00Z",
    next_visit: { place: null, time: null, note: "no policy plans visits here" },
    why: null,
  });
  await openBusiestPage(page);
  for (const text of [
    "Not visited yet",
    "Too few visits for a rate",
    "fewer than two changes were seen",
    "No copy is held",
    "fewer than two versions are held",
    "no policy plans visits here",
  ]) {
    await page.getByText(text).first().waitFor();
  }
  assert.deepEqual(faults, []);
});

test("what-if says when it computes, when there is too little and when it failed", async (t) => {
  const { page } = await openTab(scene, t);
  const none = {
    note: null,
    as_of: null,
    start: null,
    end: null,
    cycle_seconds: null,
    cycles: null,
    budget: null,
    pages: null,
    runs: null,
    results: [],
  };
  for (const [status, text] of [
    ["computing", /Replaying each policy/],
    ["too_little", /too short/],
    ["failed", /failed/],
  ]) {
    await page.unroute("**/api/v1/policies");
    await answerWith(page, "**/api/v1/policies", 200, { status, ...none });
    await page.goto("/policies");
    await page.getByText(text).first().waitFor();
  }
});

test("a refused action says why and changes nothing", async (t) => {
  const { page } = await openTab(scene, t);
  await openBusiestPage(page);
  await page.route("**/api/v1/pages/*", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({
          status: 422,
          contentType: "application/problem+json",
          body: JSON.stringify({ ...PROBLEM, status: 422 }),
        })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".notice-bad", { hasText: PROBLEM.detail }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Pause" }).count(), 1);
});
