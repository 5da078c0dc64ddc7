import { expect } from "vitest";
import type { Checksums } from "../engine/table-checksums.ts";
import { bundleCounts, DATA_SET, MAINNET } from "../nodes/bundles.ts";
import { addFaults, portOf, rarest, startFaultyNode } from "../nodes/faulty-node.ts";
import type { FaultKind, Faults } from "../nodes/replay/faults.ts";
import { startReplayNode } from "../nodes/replay/replay-node.ts";
import { type IndexRuns, openIndexRuns } from "./index-runs.ts";
import type { Node } from "./processes.ts";

const { first, last } = bundleCounts(MAINNET);
/** The blocks that every run indexes. */
export const FAULT_RANGE = { from: first, to: last };

/** Share of responses that a faulty node corrupts. Higher for the excerpt, which has few blocks. */
const SHARE = DATA_SET === "full" ? 0.1 : 0.2;
/** Minimum number of runs of each test. Set QUARRY_FAULT_RUNS=50 for a longer run. */
export const FAULT_RUNS = Number(process.env.QUARRY_FAULT_RUNS ?? 1);
/**
 * Minimum number of faults of a test that has one kind of fault, because a run without a fault proves
 * nothing. A test with several kinds must see one fault of each.
 */
const MIN_FAULTS = 2;
const MAX_RUNS = 30 + FAULT_RUNS;

/** As in production, but faster: one block per request, so that each block is at risk, and short waits. */
const QUICK = {
  maxBlocksPerRequest: 1,
  requestTimeoutMs: 1_000,
  minRetryDelayMs: 5,
  maxRetryDelayMs: 50,
  maxRetryAfterMs: 50,
  minBackoffMs: 20,
  maxBackoffMs: 100,
  warningIntervalMs: 0,
};

interface Endured {
  kinds: readonly FaultKind[];
  /** Other endpoints of the same source. */
  others?: Node[];
  isFollowing?: boolean;
}

/** Runs the indexer against faulty nodes and compares the tables with the tables from a good node. */
export class FaultRuns {
  readonly honest: Node;
  /** Tables of a run without faults. */
  readonly clean: Checksums;
  readonly #runs: IndexRuns;

  private constructor(runs: IndexRuns, honest: Node, clean: Checksums) {
    this.#runs = runs;
    this.honest = honest;
    this.clean = clean;
  }

  static async open(): Promise<FaultRuns> {
    const runs = await openIndexRuns();
    const honest = await startReplayNode([MAINNET]);
    const { tables } = await runs.index({ ...FAULT_RANGE, urls: [honest.url] });
    return new FaultRuns(runs, honest, tables);
  }

  async close(): Promise<void> {
    await this.honest.stop();
    await this.#runs.close();
  }

  /**
   * Indexes until there have been enough faults of each kind, and expects the correct tables each time.
   * Returns the warnings, in which the faulty node is named FAULTY.
   */
  async endure({ kinds, others = [], isFollowing = false }: Endured): Promise<string> {
    const warned: string[] = [];
    const least = kinds.length > 1 ? 1 : MIN_FAULTS;
    let seen: Faults = {};
    for (let run = 1; run <= FAULT_RUNS || (rarest(seen, kinds) < least && run <= MAX_RUNS); run++) {
      const options = { seed: run, ...(isFollowing ? { head: FAULT_RANGE.from + 1, advanceMs: 60 } : {}) };
      const faulty = await startFaultyNode(MAINNET, { kinds, share: SHARE, options });
      try {
        const urls = [faulty, ...others].map(({ url }) => url);
        const { tables, warnings } = await this.#runs.index({
          ...FAULT_RANGE,
          urls,
          isFollowing,
          limits: QUICK,
        });
        expect(tables, `run ${run}`).toEqual(this.clean);
        warned.push(...warnings.map((line) => line.replaceAll(portOf(faulty), "FAULTY")));
        seen = addFaults(seen, faulty.stats().faults);
      } finally {
        await faulty.stop();
      }
    }
    expect(rarest(seen, kinds), JSON.stringify(seen)).toBeGreaterThanOrEqual(least);
    return warned.join("\n");
  }

  /** Indexes without verification. Returns the tables and the number of faults. */
  async unverified(kind: FaultKind, share: number): Promise<{ tables: Checksums; faults: number }> {
    const faulty = await startFaultyNode(MAINNET, { kinds: [kind], share });
    const run = { ...FAULT_RANGE, urls: [faulty.url], verify: false, limits: QUICK };
    const { tables } = await this.#runs.index(run);
    const { faults } = faulty.stats();
    await faulty.stop();
    return { tables, faults: faults[kind] ?? 0 };
  }

  /** Indexes from a node with these options and returns the tables. */
  async index(options: Parameters<typeof startReplayNode>[1]): Promise<Checksums> {
    const node = await startReplayNode([MAINNET], options);
    const { tables } = await this.#runs.index({ ...FAULT_RANGE, urls: [node.url] });
    await node.stop();
    return tables;
  }
}
