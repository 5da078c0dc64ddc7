import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const KEY = "quarry.theme";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") return theme;
  return system.matches ? "dark" : "light";
}

/** Stores the theme in this browser; until it is set, the system's theme applies. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem(KEY, theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    system.addEventListener("change", listener);
    return () => {
      listeners.delete(listener);
      system.removeEventListener("change", listener);
    };
  }, currentTheme);
}
