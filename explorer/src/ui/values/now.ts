import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const seconds = () => Math.floor(Date.now() / 1000);

/** Returns the current time in unix seconds, updated every second by one shared timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, seconds);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
