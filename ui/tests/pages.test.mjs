import assert from "node:assert/strict";
import { test } from "node:test";
import { openTab, stage } from "./support.mjs";

const scene = stage();
const ROWS = "table[aria-label=Pages] tbody tr";

async function column(page, name) {
  return page.locator(`${ROWS} td[data-name="${name}"]`).allTextContents();
}

async function settled(page) {
  await page.locator(ROWS).first().waitFor();
  await page.waitForFunction(() => document.querySelector("table[aria-label=Pages][aria-busy]") === null);
}

test("a search leaves the pages that match", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await page.goto("/pages");
  await settled(page);
  const address = (await column(page, "Page"))[0];
  const part = address.slice(-6);
  await page.getByRole("searchbox").fill(part);
  await page.waitForURL(/q=/);
  await settled(page);
  await page.waitForFunction(
    ([rows, text]) =>
      [...document.querySelectorAll(`${rows} td[data-name=Page]`)].every((cell) => cell.textContent.includes(text)),
    [ROWS, part],
  );
  assert.ok((await column(page, "Page")).length > 0);
  assert.deepEqual(faults, []);
});

test("a site's name leads to its pages alone", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await page.goto("/sites");
  const link = page.locator("table[aria-label=Sites] tbody a").first();
  const site = await link.textContent();
  await link.click();
  await page.waitForURL(/\/pages\?site=/);
  await settled(page);
  assert.equal(await page.getByLabel("Site", { exact: true }).inputValue(), site);
  const answer = await (await page.request.get(`/api/v1/pages?site=${encodeURIComponent(site)}`)).json();
  const shown = await page.locator(".more [role=status]").textContent();
  assert.ok(shown.includes(new Intl.NumberFormat("en").format(answer.total)), shown);
  assert.deepEqual(faults, []);
});

test("a standing filters, and clearing brings all back", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/pages");
  await settled(page);
  await page.getByLabel("Standing").selectOption("watched");
  await page.waitForURL(/standing=watched/);
  await settled(page);
  assert.ok((await column(page, "Standing")).every((text) => text === "watched"));
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForFunction(() => location.search === "");
});

test("a click on a head sorts, a second turns the order round", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await page.goto("/pages");
  await settled(page);
  const head = page.getByRole("columnheader", { name: "Visits" });
  for (const [state, sign] of [
    ["descending", -1],
    ["ascending", 1],
  ]) {
    await head.getByRole("button").click();
    await page.locator(`th[aria-sort=${state}]`, { hasText: "Visits" }).waitFor();
    await settled(page);
    const visits = (await column(page, "Visits")).map((text) => Number(text.replaceAll(",", "")));
    // The watcher goes on between the server's sorting and this look; sums of order are kept loosely.
    assert.ok(sign * (visits.at(-1) - visits[0]) >= 0, `${state}: ${visits.join(" ")}`);
  }
  assert.deepEqual(faults, []);
});

test("more adds rows below those shown", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await page.goto("/pages");
  await settled(page);
  const more = page.getByRole("button", { name: "More" });
  if ((await more.count()) === 0) return t.skip("all pages of this server fit one list");
  const before = await column(page, "Page");
  await more.click();
  await page.waitForFunction(
    ([rows, number]) => document.querySelectorAll(rows).length > number,
    [ROWS, before.length],
  );
  const after = await column(page, "Page");
  assert.deepEqual(after.slice(0, before.length), before);
  assert.equal(new Set(after).size, after.length);
  assert.deepEqual(faults, []);
});
