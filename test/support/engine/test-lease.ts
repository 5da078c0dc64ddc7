import type { WriterLease } from "../../../src/storage/commits/writer-lease.ts";

/** A lease that a test can lose, at once or after a number of checks. */
export interface TestLease extends WriterLease {
  isHeld: boolean;
  term: number;
  loseAfter(checks: number): void;
}

export function testLease(chain: string): TestLease {
  let left = Number.POSITIVE_INFINITY;
  const lease: TestLease = {
    chain,
    isHeld: true,
    term: 1,
    async regain() {
      if (!lease.isHeld) lease.term++;
      lease.isHeld = true;
    },
    requireHeld() {
      if (left-- <= 0) lease.isHeld = false;
      if (!lease.isHeld) throw new Error("the lease is lost");
    },
    loseAfter(checks) {
      left = checks;
    },
    release: async () => {},
    expire: async () => {},
  };
  return lease;
}
