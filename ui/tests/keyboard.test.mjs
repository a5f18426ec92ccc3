import assert from "node:assert/strict";
import { test } from "node:test";
import { openTab, SCREENS, stage } from "./support.mjs";

const scene = stage();

test("g and a letter go to each screen", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await page.goto("/sites");
  await page.locator("h1").waitFor();
  for (const [key, path] of [
    ["o", "/"],
    ["s", "/sites"],
    ["p", "/pages"],
    ["l", "/policies"],
    ["a", "/activity"],
  ]) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForFunction((wanted) => location.pathname === wanted, path);
    await page
      .locator(SCREENS.find((screen) => screen.path === path).ready)
      .first()
      .waitFor();
  }
  assert.deepEqual(faults, []);
});

test("a slash leads to the search, also from elsewhere", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/pages");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.matches("input[type=search]"));
  await page.goto("/policies");
  await page.locator("h1").waitFor();
  await page.keyboard.press("/");
  await page.waitForFunction(
    () => location.pathname === "/pages" && document.activeElement?.matches("input[type=search]"),
  );
});

test("a question mark lists the keys and Escape closes the list", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/");
  await page.locator("h1").waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("the first Tab offers to skip the navigation, and the focus is seen", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/pages");
  await page.locator("h1").waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none");
});

test("a page can be opened without a mouse", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/pages");
  await page.locator("table[aria-label=Pages] tbody a").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/pages\/\d+/);
  await page.goBack();
  await page.locator("table[aria-label=Pages]").waitFor();
});
