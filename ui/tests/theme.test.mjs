import assert from "node:assert/strict";
import { test } from "node:test";
import { openTab, stage } from "./support.mjs";

const scene = stage();
const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("colours follow the system", async (t) => {
  const light = await openTab(scene, t, { colorScheme: "light" });
  const dark = await openTab(scene, t, { colorScheme: "dark" });
  for (const { page } of [light, dark]) await page.goto("/");
  assert.notEqual(await ground(light.page), await ground(dark.page));
});

test("the button turns the colours round, and the choice outlives a reload", async (t) => {
  const { page, faults } = await openTab(scene, t, { colorScheme: "light" });
  await page.goto("/");
  await page.locator(".chart canvas").first().waitFor();
  const before = await ground(page);
  await page.getByRole("button", { name: "Use dark colours" }).click();
  await page.getByRole("button", { name: "Use light colours" }).waitFor();
  const after = await ground(page);
  assert.notEqual(after, before);
  await page.reload();
  await page.getByRole("button", { name: "Use light colours" }).waitFor();
  assert.equal(await ground(page), after);
  assert.deepEqual(faults, []);
});
