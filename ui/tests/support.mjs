// A browser, a server to look at, and an eye on what goes wrong.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** How long a test waits for something to appear; a loaded machine is slow, not wrong. */
const PATIENCE_MILLIS = 20_000;

function browserPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of ["chromium", "chromium-browser"]) {
      const path = join(folder, name);
      if (existsSync(path)) return path;
    }
  }
  throw new Error("no chromium found; install it or name it in CHROMIUM");
}

/** Starts the mock on a free port; its address is the first line it prints. */
export async function startMock(...flags) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("../mock/server.mjs", import.meta.url)), "--port", "0", ...flags],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", () => reject(new Error("the mock ended before it answered")));
  });
  return { address, stop: () => child.kill() };
}

/** Gives the tests of a file one browser and one server: that of RECRAWL_URL, else the mock. */
export function stage() {
  const scene = { browser: null, address: process.env.RECRAWL_URL?.replace(/\/$/, "") ?? null };
  let mock = null;
  before(async () => {
    if (scene.address === null) {
      mock = await startMock();
      scene.address = mock.address;
    }
    scene.browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
  });
  after(async () => {
    await scene.browser?.close();
    mock?.stop();
  });
  return scene;
}

/** Opens a tab; `faults` fills with whatever a working dashboard would not cause. */
export async function openTab(scene, t, { width = 1360, height = 900, colorScheme = "light", ...rest } = {}) {
  const context = await scene.browser.newContext({
    viewport: { width, height },
    colorScheme,
    baseURL: scene.address,
    ...rest,
  });
  const page = await context.newPage();
  t.after(async () => {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });
  page.setDefaultTimeout(PATIENCE_MILLIS);
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    // Requests given up on purpose, as when the screen changes, are no fault.
    if (request.failure()?.errorText !== "net::ERR_ABORTED")
      faults.push(`${request.failure()?.errorText}: ${request.url()}`);
  });
  return { page, faults };
}

/** The screens, each with something that is there only once its data are. */
export const SCREENS = [
  { name: "overview", path: "/", ready: ".tiles .tile-value" },
  { name: "sites", path: "/sites", ready: "table[aria-label=Sites] tbody tr" },
  { name: "pages", path: "/pages", ready: "table[aria-label=Pages] tbody tr" },
  { name: "policies", path: "/policies", ready: "main .panel table, main .panel .empty, main .panel [role=status]" },
  { name: "activity", path: "/activity", ready: ".events .event" },
];

/** Opens the page that was visited most, which has something to tell. */
export async function openBusiestPage(page) {
  await page.goto("/pages?sort=visits&order=desc");
  await page.locator("table[aria-label=Pages] tbody tr a").first().click();
  await page.waitForURL(/\/pages\/\d+/);
  await page.locator(".facts").first().waitFor();
}

export async function screenshot(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** By how many pixels the body scrolls sideways. */
export function sidewaysScroll(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Lets every API request but the given ones through; those get the answer. */
export async function answerWith(
  page,
  pattern,
  status,
  body,
  type = status < 400 ? "application/json" : "application/problem+json",
) {
  await page.route(pattern, (route) =>
    route.fulfill({ status, contentType: type, body: typeof body === "string" ? body : JSON.stringify(body) }),
  );
}

/** Lets the true answer through after `change` had its way with it. */
export async function changeAnswer(page, pattern, change) {
  await page.route(pattern, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });
}
