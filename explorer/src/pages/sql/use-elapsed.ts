import { useEffect, useState } from "react";

const STEP_MS = 100;

/** Milliseconds since a time of the page's clock, told anew ten times a second. */
export function useElapsed(startedAt: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - startedAt);
}
