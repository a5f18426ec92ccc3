import assert from "node:assert/strict";
import { test } from "node:test";
import { openTab, screenshot, stage } from "./support.mjs";

const scene = stage();
const TOKEN = "right-token";

async function askForToken(page) {
  await page.route("**/api/v1/**", (route) => {
    if (route.request().headers()["authorization"] === `Bearer ${TOKEN}`) return route.continue();
    const problem = {
      title: "a token is needed",
      status: 401,
      detail: "this server answers only with its token",
      hint: null,
    };
    return route.fulfill({ status: 401, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
}

test("a server with a token asks for it, keeps it for the tab and shows the data", async (t) => {
  const { page } = await openTab(scene, t);
  await askForToken(page);
  await page.goto("/");
  const field = page.getByLabel("Token");
  await field.waitFor();
  await screenshot(page, "token");
  await field.fill("wrong-token");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("The token given was not taken.").waitFor();
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.locator(".tiles .tile-value").first().waitFor();
  await page.locator(".live-live").first().waitFor();
  await page.reload();
  await page.locator(".tiles .tile-value").first().waitFor();
  const kept = await page.evaluate(() => ({ local: Object.values(localStorage), address: location.href }));
  assert.ok(!JSON.stringify(kept).includes(TOKEN), "the token left the tab's own storage");
});
