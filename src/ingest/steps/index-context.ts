import type { Chain } from "../../chains/chain.ts";
import type { TokenList } from "../../chains/token-list.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { Source } from "../../sources/source.ts";
import type { ChainStore, Engine } from "../../storage/store.ts";
import type { BatchLimits } from "../blocks/batches.ts";
import type { BlockPipeline } from "../blocks/block-pipeline.ts";
import type { CacheLimits } from "../caches/block-caches.ts";
import type { OpeningFinder } from "../openings/opening-finder.ts";
import type { ChainPosition } from "../state/chain-position.ts";
import type { CommitWatch } from "../state/commit-watch.ts";
import type { FinalityTracker } from "../state/finality-tracker.ts";
import type { HeadAges } from "../state/head-ages.ts";
import type { IndexCounters } from "../state/index-counters.ts";
import type { IndexState } from "../state/index-state.ts";
import type { Progress, ProgressMeter } from "../state/progress.ts";

export interface IndexOptions {
  chain: Chain;
  source: Source;
  store: ChainStore;
  engine: Engine;
  /** First block to index if nothing is indexed yet. */
  from: number;
  /** Last block; null: follow the head until the signal aborts. */
  to: number | null;
  signal: AbortSignal;
  logger: IndexLogger;
  onProgress?: (progress: Progress) => void;
  /**
   * Minimum time between two requests for the head once it is committed; default: a quarter of the block
   * time.
   */
  pollMs?: number;
  batchLimits?: BatchLimits;
  cacheLimits?: CacheLimits;
  /** Metadata of tokens whose contracts do not reveal it; default: none. */
  tokenList?: TokenList;
  /** Name of the stored chain that is indexed again: see `CacheOptions`; default: none. */
  original?: string;
  /** The search for balances before the first block, which runs alongside the indexer; default: none. */
  openings?: Pick<OpeningFinder, "isDue" | "apply">;
  /** Time without a commit after which the chain has stalled; default: depends on its block time. */
  stallMs?: number;
  /** Throws `disk-full` if the disk has too little space for another commit; default: no check. */
  requireRoom?: () => Promise<void>;
  /** Delays before retries after temporary failures; the last is repeated. */
  retryWaitsMs?: readonly number[];
  clock?: Clock;
}

interface IndexLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The parts of an indexer that its steps use. Each part owns its own state. */
export interface IndexContext {
  options: IndexOptions;
  clock: Clock;
  pipeline: BlockPipeline;
  position: ChainPosition;
  finality: FinalityTracker;
  state: IndexState;
  counters: IndexCounters;
  watch: CommitWatch;
  ages: HeadAges;
  meter: ProgressMeter;
}
