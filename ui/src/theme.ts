import { createStore } from "./store.ts";

export type Theme = "light" | "dark";
const KEY = "recrawl-theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function remembered(): Theme | null {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : null;
}

/** The theme on screen. Charts follow it, because a canvas knows no style sheet. */
export const theme = createStore<Theme>(remembered() ?? (systemDark.matches ? "dark" : "light"));

/** Runs before the body is read, so that nothing flashes in the wrong colours. */
export function startTheme(): void {
  document.documentElement.dataset["theme"] = theme.get();
  theme.subscribe((value) => (document.documentElement.dataset["theme"] = value));
  systemDark.addEventListener("change", () => {
    if (remembered() === null) theme.set(systemDark.matches ? "dark" : "light");
  });
}

export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  localStorage.setItem(KEY, next);
  theme.set(next);
}
