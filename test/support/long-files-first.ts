import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Slowest first, by what a run took: they begin while there is other work to run beside them. */
const LONG_FILES = [
  "test/explorer/explorer.test.ts",
  "test/indexing/simulation.test.ts",
  "test/indexing/resume.test.ts",
  "src/doctor/check/check-chain.test.ts",
  "test/chain-data/doctor.test.ts",
  "test/interface/conformance.test.ts",
  "test/indexing/market-reorg.test.ts",
  "test/indexing/reorg.test.ts",
  "test/indexing/faults.test.ts",
];

/** Else a file of minutes, begun last, would leave all workers but one idle. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

function rank(file: string): number {
  const place = LONG_FILES.findIndex((long) => file.endsWith(`/${long}`));
  return place === -1 ? LONG_FILES.length : place;
}
