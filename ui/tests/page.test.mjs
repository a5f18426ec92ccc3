import assert from "node:assert/strict";
import { test } from "node:test";
import { openBusiestPage, openTab, stage } from "./support.mjs";

const scene = stage();

test("a page explains its next visit by a tree of numbers", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await openBusiestPage(page);
  const tree = page.locator(".why");
  await tree.waitFor();
  assert.match(await tree.locator(".why-value").first().textContent(), /\d/);
  assert.ok((await tree.locator(".why-meaning").first().textContent()).length > 3);
  const folded = tree.locator("details").first();
  assert.equal(await folded.evaluate((element) => element.open), true);
  await folded.locator("> summary").click();
  assert.equal(await folded.evaluate((element) => element.open), false);
  assert.deepEqual(faults, []);
});

test("a visit of the past is explained when it is chosen", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await openBusiestPage(page);
  const choice = page.locator("#next-visit select");
  await page.waitForFunction(() => document.querySelectorAll("#next-visit select option").length > 1);
  const time = await choice.locator("option").nth(1).getAttribute("value");
  const asked = page.waitForResponse((response) => new URL(response.url()).searchParams.get("at") === time);
  await choice.selectOption(time);
  assert.equal((await asked).status(), 200);
  await page.getByRole("heading", { name: "A visit of the past" }).waitFor();
  assert.ok(new URL(page.url()).searchParams.has("at"));
  assert.equal(await page.locator(".visit.chosen").count(), 1);
  assert.deepEqual(faults, []);
});

test("a mark of the timeline asks about its visit", async (t) => {
  const { page } = await openTab(scene, t);
  await openBusiestPage(page);
  await page.locator(".timeline .visit").last().click({ force: true });
  await page.getByRole("heading", { name: "A visit of the past" }).waitFor();
});

test("charts tell their numbers in words and in a table", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/");
  const chart = page.locator(".chart").first();
  await chart.waitFor();
  assert.match(await chart.locator("[role=img]").getAttribute("aria-label"), /\d/);
  await chart.locator("summary").click();
  await chart.locator("tbody tr").first().waitFor();
});

test("a page is paused, resumed and given another weight", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await openBusiestPage(page);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  const weight = page.getByLabel("Weight");
  const before = await weight.inputValue();
  for (const value of [String(Number(before) + 1), before]) {
    await weight.fill(value);
    await page.getByRole("button", { name: "Set" }).click();
    await page.waitForFunction(
      (text) => [...document.querySelectorAll(".facts > div")].some((fact) => fact.textContent === `Weight${text}`),
      value,
    );
  }
  assert.deepEqual(faults, []);
});

test("removing asks first, and keeping leaves the page alone", async (t) => {
  const { page } = await openTab(scene, t);
  await openBusiestPage(page);
  let removed = false;
  page.on("request", (request) => (removed ||= request.method() === "DELETE"));
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(removed, false);
});
