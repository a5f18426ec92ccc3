import assert from "node:assert/strict";
import { test } from "node:test";
import { openTab, stage } from "./support.mjs";

const scene = stage();
const NEW_ENTRY = ".event-new[data-visit]";

test("a visit appears as it happens", async (t) => {
  const { page, faults } = await openTab(scene, t);
  await page.goto("/activity");
  await page.locator("main .live-live").waitFor();
  await page.locator(NEW_ENTRY).first().waitFor();
  assert.deepEqual(faults, []);
});

test("pausing holds the list, resuming lets it go on", async (t) => {
  const { page } = await openTab(scene, t);
  await page.goto("/activity");
  await page.locator(NEW_ENTRY).first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  const resume = page.getByRole("button", { name: /^Resume/ });
  await resume.waitFor();
  const newest = () => page.locator(".event[data-visit]").first().getAttribute("data-visit");
  const held = await newest();
  await page.getByRole("button", { name: /new\)/ }).waitFor();
  assert.equal(await newest(), held);
  await resume.click();
  await page.waitForFunction(
    (visit) => document.querySelector(".event[data-visit]")?.getAttribute("data-visit") !== visit,
    held,
  );
});

test("a lost stream is said and taken up again", async (t) => {
  const { page } = await openTab(scene, t);
  let refused = 0;
  await page.route("**/api/v1/events", (route) =>
    refused++ < 2 ? route.abort("connectionrefused") : route.continue(),
  );
  await page.goto("/activity");
  await page.locator("main .live-reconnecting").waitFor();
  await page.locator("main .live-live").waitFor();
  assert.ok(refused > 2);
});
