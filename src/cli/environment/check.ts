/** One thing that was looked at: what was found, and what to do about it where something is wrong. */
export interface Check {
  check: string;
  verdict: "ok" | "warn" | "fail";
  found: string;
  /** What to do next; null where all is well. */
  advice: string | null;
}

export function ok(check: string, found: string): Check {
  return { check, verdict: "ok", found, advice: null };
}

/** It will work, but not as well as it could, or not for long. */
export function warn(check: string, found: string, advice: string): Check {
  return { check, verdict: "warn", found, advice };
}

/** It will not work. */
export function fail(check: string, found: string, advice: string): Check {
  return { check, verdict: "fail", found, advice };
}
