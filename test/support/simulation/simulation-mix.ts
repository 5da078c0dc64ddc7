import type { BatchLimits } from "../../../src/ingest/blocks/batches.ts";
import type { Dice } from "./dice.ts";
import type { SourceProbabilities } from "./fake-source.ts";
import type { ChainProbabilities } from "./moving-chain.ts";
import type { FaultProbabilities } from "./process-faults.ts";

/** The probabilities of one seed: moves of the chain, responses of the source and faults of the process. */
export interface SimulationMix {
  chain: ChainProbabilities;
  source: SourceProbabilities;
  faults: FaultProbabilities;
  from: number;
  batches: BatchLimits;
  tightMemory: boolean;
  /** True if the readers are in another process, so that they know commits only from the tables. */
  readsApart: boolean;
  readPauseMs: number;
}

export function mixOf(dice: Dice): SimulationMix {
  const pick = (...values: [number, ...number[]]) => dice.pick("mix", values);
  const isRare = pick(0, 1) === 1;
  return {
    chain: {
      blocks: { empty: pick(0, 0.1, 0.5), failed: pick(0, 0.1, 0.3) },
      finalityBlocks: pick(2, 4, 8, 12, 20),
      leastDepth: pick(0, 0, 1, 3, 20),
      grow: pick(1, 2, 4),
      fork: pick(0.5, 1, 2),
      flip: pick(0, 0.3, 1, 2),
      cut: pick(0, 0.2),
    },
    source: {
      moves: pick(10, 15, 20, 40),
      moveProbability: pick(0.05, 0.1, 0.2, 0.5),
      span: pick(1, 3, 8),
      late: pick(0, 0.1, 0.4),
      lagging: pick(0, 0.1, 0.3),
      leftFork: pick(0, 0, 0.1, 0.3),
      duplicates: pick(0, 0.3, 0.9),
      slow: pick(0, 0.1, 0.3),
      hasFinalityTag: pick(0, 1) === 1,
    },
    faults: {
      crash: isRare ? 0.001 : pick(0.002, 0.004, 0.008),
      stop: pick(0, 0.001),
      sourceFailure: pick(0, 0.01, 0.05),
      engineFailure: pick(0, 0.002, 0.01),
    },
    from: pick(0, 0, 1, 3),
    batches: { blocks: pick(1, 2, 3, 7, 1_000), items: pick(8, 1_000, 1_000), waitMs: pick(0, 2, 1_000) },
    tightMemory: pick(0, 1) === 1,
    readsApart: pick(0, 1) === 1,
    readPauseMs: pick(10, 30, 100),
  };
}
