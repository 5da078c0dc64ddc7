/** The result of one check, with advice if something is wrong. */
export interface Check {
  check: string;
  verdict: "ok" | "warn" | "fail";
  found: string;
  /** What to do; null if `verdict` is ok. */
  advice: string | null;
}

export function ok(check: string, found: string): Check {
  return { check, verdict: "ok", found, advice: null };
}

/** Returns a warning: Quarry works, but more slowly than it could, or will soon stop working. */
export function warn(check: string, found: string, advice: string): Check {
  return { check, verdict: "warn", found, advice };
}

/** Returns a failure: Quarry does not work. */
export function fail(check: string, found: string, advice: string): Check {
  return { check, verdict: "fail", found, advice };
}
