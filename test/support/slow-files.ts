import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/**
 * The files that `npm test` leaves out. Each is listed with its duration in seconds on two busy cores and the
 * reason why it is slow. `npm run test:all` runs all of them. CI runs the files with `always`, and as many
 * others as it has time for (scripts/slow-tests.mjs). docs/testing.md lists what `npm test` covers of each
 * area.
 */
const SLOW_FILES = JSON.parse(
  readFileSync(join(import.meta.dirname, "slow-files.json"), "utf8"),
) as readonly {
  file: string;
  seconds: number;
  always?: boolean;
  why: string;
}[];

export const SLOW_TESTS: readonly string[] = SLOW_FILES.toSorted((a, b) => b.seconds - a.seconds).map(
  ({ file }) => file,
);

/** Runs slow files first. If one of them started last, all workers but one would be idle. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

/** The slowest files of `npm test`. */
const LONG_FILES = ["test/explorer/smoke.test.ts", "test/chain-data/mainnet.test.ts"];

function rank(file: string): number {
  const ordered = [...SLOW_TESTS, ...LONG_FILES];
  const place = ordered.findIndex((one) => file.endsWith(`/${one}`));
  return place === -1 ? ordered.length : place;
}
