import assert from "node:assert/strict";
import { test } from "node:test";
import { openBusiestPage, openTab, screenshot, SCREENS, sidewaysScroll, stage } from "./support.mjs";

const scene = stage();
const LOOKS = [
  { name: "light", colorScheme: "light" },
  { name: "dark", colorScheme: "dark" },
  { name: "360", width: 360, height: 740 },
];

for (const look of LOOKS) {
  for (const screen of SCREENS) {
    test(`${screen.name} shows its data without a fault, ${look.name}`, async (t) => {
      const { page, faults } = await openTab(scene, t, look);
      await page.goto(screen.path);
      await page.locator(screen.ready).first().waitFor();
      await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
      assert.equal(await page.locator("nav[aria-label=Main] a[aria-current=page]").count(), 1);
      assert.ok((await sidewaysScroll(page)) <= 0, "the body scrolls sideways");
      await screenshot(page, `${screen.name}-${look.name}`);
      assert.deepEqual(faults, []);
    });
  }

  test(`a page shows its data without a fault, ${look.name}`, async (t) => {
    const { page, faults } = await openTab(scene, t, look);
    await openBusiestPage(page);
    await page.locator(".timeline svg[role=img]").waitFor();
    await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
    assert.ok((await sidewaysScroll(page)) <= 0, "the body scrolls sideways");
    await screenshot(page, `page-${look.name}`);
    assert.deepEqual(faults, []);
  });
}

test("the overview paints soon", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/");
  await page.locator(".tiles .tile-value").first().waitFor();
  const { first, whole } = await page.evaluate(() => ({
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    whole: performance.now(),
  }));
  console.log(
    `first paint of the overview after ${Math.round(first)} ms, its numbers after at most ${Math.round(whole)} ms`,
  );
  assert.notEqual(first, null);
});

test("the assets stay light", async (t) => {
  const { page } = await openTab(scene, t);
  const { gzipSync } = await import("node:zlib");
  let total = 0;
  for (const file of ["/app.js", "/app.css", "/icon.svg", "/"])
    total += gzipSync(await (await page.request.get(file)).body()).length;
  assert.ok(total < 150_000, `${total} bytes compressed`);
});
