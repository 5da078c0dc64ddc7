import { setMaxListeners } from "node:events";
import type { Finality } from "../../../src/chains/chain.ts";
import { wrongSummaries } from "../../../src/doctor/invariants/store/summaries.ts";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import type { CacheLimits } from "../../../src/ingest/caches/block-caches.ts";
import { Indexer, type IndexOptions } from "../../../src/ingest/indexer.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readAllTime } from "../../../src/reads/prices/all-time-prices.ts";
import { readSnapshot } from "../../../src/reads/snapshot/snapshot.ts";
import type { Source } from "../../../src/sources/source.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import type { ChainCommits, ChainStore, Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { dropChain } from "../engine/drop-chain.ts";
import { checksums } from "../engine/table-checksums.ts";
import { Dice } from "./dice.ts";
import { type FakeBlock, fakeChainFacts } from "./fake-chain.ts";
import { FakeSource, steadySource } from "./fake-source.ts";
import { MovingChain } from "./moving-chain.ts";
import {
  outsideProcess,
  ProcessFaults,
  SimulatedCrash,
  type SimulatedProcess,
  TransientFailure,
} from "./process-faults.ts";
import { ReaderLoop } from "./reader-loop.ts";
import { mixOf, type SimulationMix } from "./simulation-mix.ts";

export const quiet = { info() {}, warn() {} };

/** Cache limits that are so low that nearly everything is evicted at once and must be read from the store. */
export const TIGHT: CacheLimits = { pools: 4, tokens: 4, balances: 4, histories: { tokens: 3, trades: 40 } };
export const AMPLE: CacheLimits = { pools: 10_000, tokens: 10_000, balances: 10_000 };

/** A run that takes longer is stuck. On an idle machine, a run takes seconds. */
const LONGEST_RUN_MS = 200_000;

/** Small enough that a chain of a few dozen blocks has many checkpoints. */
const CHECKPOINT_BLOCKS = 3;

/** Short waits, because only the retry itself matters. */
const RETRY_WAITS_MS = [1, 2, 5];

export interface SimulationResult {
  simulated: Record<string, unknown>;
  fresh: Record<string, unknown>;
  violations: string[];
  /** Number of responses that the readers received in the meantime. */
  answers: number;
  /** Everything that happened, to debug a failure. */
  story: string;
}

/** Runs one seed: a chain, a source and a process, with the probabilities of the seed. */
export async function simulate(engine: Engine, seed: number): Promise<SimulationResult> {
  const run = new Simulation(engine, seed);
  try {
    return await run.result();
  } catch (error) {
    throw new Error(`seed ${seed}: ${error}\n${run.story}`, { cause: error });
  } finally {
    await dropChain(engine, run.name);
    await dropChain(engine, run.freshName);
  }
}

class Simulation {
  readonly name: string;
  readonly freshName: string;
  readonly #engine: Engine;
  readonly #mix: SimulationMix;
  readonly #source: FakeSource;
  readonly #faults: ProcessFaults;
  readonly #seed: number;
  /** The commits of the current writer, if any. Readers in its process see the same commits. */
  #writer: ChainCommits | null = null;
  #processes = 0;
  #state = "";

  constructor(engine: Engine, seed: number) {
    const dice = new Dice(seed);
    this.#engine = engine;
    this.#seed = seed;
    this.name = `sim${seed}`;
    this.freshName = `fresh${seed}`;
    this.#mix = mixOf(dice);
    this.#source = new FakeSource(new MovingChain(dice, this.#mix.chain), dice, this.#mix.source);
    this.#faults = new ProcessFaults(dice, this.#mix.faults);
  }

  get story(): string {
    const lines = [
      `seed ${this.#seed} ${JSON.stringify(this.#mix)}`,
      ...this.#source.chain.history.map((move) => `  ${move}`),
      `faults in ${this.#processes} processes: ${this.#faults.history.join("; ")}`,
      `the chain ${this.#source.isResting ? "rests" : "moves"}; the indexer: ${this.#state}`,
      `Again: QUARRY_FIRST_SEED=${this.#seed} QUARRY_SEEDS=1 npx vitest run test/indexing/simulation.test.ts`,
    ];
    return lines.join("\n");
  }

  async result(): Promise<SimulationResult> {
    const reading = this.#startReading();
    try {
      await withDeadline(() => this.#follow());
    } finally {
      await reading.stop();
    }
    const { violations, answers } = reading;
    const { blocks } = this.#source.chain;
    const finality = this.#finality;
    await indexSteadily(this.#engine, { name: this.freshName, blocks, from: this.#mix.from, finality });
    return {
      simulated: await contentsOf(this.#engine, this.name),
      fresh: await contentsOf(this.#engine, this.freshName),
      violations,
      answers,
      story: this.story,
    };
  }

  get #finality(): Finality {
    return this.#mix.source.hasFinalityTag
      ? { kind: "tag" }
      : { kind: "depth", blocks: this.#mix.chain.finalityBlocks };
  }

  #startReading(): ReaderLoop {
    const apart = chainCommits(this.#engine, this.name);
    const shared = {
      chain: this.name,
      committed: () => outsideProcess(() => (this.#writer ?? apart).committed()),
    };
    const store = this.#mix.readsApart ? apart : shared;
    return new ReaderLoop({
      reader: { engine: this.#engine, chains: [{ chain: fakeChainFacts(this.name, this.#finality), store }] },
      chain: this.name,
      pauseMs: this.#mix.readPauseMs,
      known: (hash) => {
        const transactions = this.#source.chain.named(hash)?.block.transactions;
        if (transactions === undefined) return undefined;
        return { transactions: transactions.length, logs: transactions.flatMap(({ logs }) => logs).length };
      },
    });
  }

  /**
   * Indexes until the source stops changing and everything is committed. Starts a new process each time one
   * ends.
   */
  async #follow(): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const life = this.#faults.begin();
      this.#processes++;
      try {
        isDone = await this.#live(life);
      } catch (error) {
        if (!isCrash(error)) throw error;
      } finally {
        this.#writer = null;
        await life.ended();
      }
    }
  }

  async #live(life: SimulatedProcess): Promise<boolean> {
    const engine = life.engine(this.#engine);
    const store = await this.#open(engine);
    if (store === null) return false;
    const commit = await store.committed();
    this.#writer = store;
    // Each wait for the head adds a listener that stays until the end.
    setMaxListeners(0, life.stop.signal);
    const indexer = new Indexer({
      chain: fakeChainFacts(this.name, this.#finality),
      source: life.source(this.#source),
      store,
      engine,
      from: commit?.firstBlock ?? this.#mix.from,
      to: null,
      signal: life.stop.signal,
      logger: quiet,
      pollMs: 1,
      batchLimits: this.#mix.batches,
      cacheLimits: this.#mix.tightMemory ? TIGHT : AMPLE,
      retryWaitsMs: RETRY_WAITS_MS,
    });
    const running = indexer.run();
    running.catch(() => life.stop.abort());
    let isDone = false;
    while (!isDone && !life.stop.signal.aborted) {
      await indexer.caughtUp();
      this.#state = JSON.stringify(indexer.state);
      isDone = await this.#isIndexed();
    }
    life.stop.abort();
    await running;
    return isDone;
  }

  /** Opens the store. Returns null after a transient failure: the process ends and is started again. */
  async #open(engine: Engine): Promise<ChainStore | null> {
    try {
      return await openChainStore(engine, this.name, { checkpointBlocks: CHECKPOINT_BLOCKS });
    } catch (error) {
      if (error instanceof TransientFailure) return null;
      throw error;
    }
  }

  async #isIndexed(): Promise<boolean> {
    if (!this.#source.isResting) return false;
    const commit = await chainCommits(this.#engine, this.name).committed();
    return commit?.blockHash === this.#source.chain.head.hash;
  }
}

interface SteadyRun {
  name: string;
  blocks: readonly FakeBlock[];
  from: number;
  finality: Finality;
  /**
   * Blocks at which to stop and start again, in ascending order. Indexing always ends at the end of the
   * chain.
   */
  cuts?: readonly number[];
  options?: Partial<Pick<IndexOptions, "batchLimits" | "cacheLimits">>;
}

/** Indexes a chain that does not move. */
export async function indexSteadily(engine: Engine, run: SteadyRun): Promise<void> {
  const { name, blocks, from, finality, cuts = [], options } = run;
  const source: Source = steadySource(blocks);
  for (const to of [...cuts, blocks.length - 1]) {
    const store = await openChainStore(engine, name);
    await new Indexer({
      chain: fakeChainFacts(name, finality),
      source,
      store,
      engine,
      from: (await store.committed())?.firstBlock ?? from,
      to,
      signal: new AbortController().signal,
      logger: quiet,
      pollMs: 1,
      ...options,
    }).run();
  }
}

/** Returns the checksums of all tables, the all-time prices, and the price summaries that are wrong. */
async function contentsOf(engine: Engine, chain: string): Promise<Record<string, unknown>> {
  const commit = await chainCommits(engine, chain).committed();
  const facts = fakeChainFacts(chain, { kind: "tag" });
  return {
    ...(await checksums(engine, chain)),
    prices: await allTimePrices(engine, chain),
    wrongSummaries: commit === null ? [] : await wrongSummaries({ engine, chain: facts, commit }),
  };
}

/** Reads the all-time extremes of every token, from summarized rows and the other rows. */
async function allTimePrices(engine: Engine, chain: string) {
  const facts = fakeChainFacts(chain, { kind: "tag" });
  const reader = { engine, chains: [{ chain: facts, store: chainCommits(engine, chain) }] };
  const tokens = await engine.query<{ token: Hex }>(
    sql`SELECT DISTINCT concat('0x', lower(hex(token_address))) AS token FROM ${engineTable(chain, "dex_trades")} ORDER BY token`,
  );
  const traded = tokens.map(({ token }) => token);
  const { answer } = await readSnapshot(reader, chain, {}, (snapshot) =>
    readAllTime(snapshot, traded, "all", "price_token_usd_tick_1"),
  );
  return traded.map((token) => answer.get(token));
}

async function withDeadline(run: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`not at its end after ${LONGEST_RUN_MS} ms`);
    timer = setTimeout(() => reject(error), LONGEST_RUN_MS);
  });
  await Promise.race([run(), late]).finally(() => clearTimeout(timer));
}

function isCrash(error: unknown): boolean {
  if (error instanceof SimulatedCrash) return true;
  return error instanceof Error && error.cause !== undefined && isCrash(error.cause);
}
