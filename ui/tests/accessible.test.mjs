import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { openBusiestPage, openTab, SCREENS, stage } from "./support.mjs";

const scene = stage();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function violations(page) {
  await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
  await page.evaluate(axe);
  const result = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }),
  );
  return result.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(" | ")}`,
  );
}

for (const look of [{ colorScheme: "light" }, { colorScheme: "dark" }, { width: 360, height: 740 }]) {
  const name = look.colorScheme ?? "360";
  for (const screen of SCREENS) {
    test(`${screen.name} keeps the rules of WCAG 2.2 AA, ${name}`, async (t) => {
      const { page } = await openTab(scene, t, { ...look, reducedMotion: "reduce" });
      await page.goto(screen.path);
      await page.locator(screen.ready).first().waitFor();
      assert.deepEqual(await violations(page), []);
    });
  }

  test(`a page keeps the rules of WCAG 2.2 AA, ${name}`, async (t) => {
    const { page } = await openTab(scene, t, { ...look, reducedMotion: "reduce" });
    await openBusiestPage(page);
    await page.locator(".why").waitFor();
    assert.deepEqual(await violations(page), []);
  });
}
