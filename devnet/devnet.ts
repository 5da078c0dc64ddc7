import { setTimeout as sleep } from "node:timers/promises";
import type { Chain } from "../src/chains/chain.ts";
import type { Devnet, DevnetOptions, Highlights } from "../src/cli/demo/devnet.ts";
import type { Hex } from "../src/lib/hex.ts";
import { BLOCK_TIME_MS, devnetChain } from "./chain.ts";
import { type Market, type MarketPlan, mineMarketBlock } from "./market/market.ts";
import { openMarket } from "./market/opening.ts";
import { MAIN_POOL } from "./market/pools.ts";
import { hiddenPrice } from "./market/price-path.ts";
import { gapTimes, historyTimes } from "./market/schedule.ts";
import { WETH } from "./market/tokens.ts";
import { assignWallets, MINTER } from "./market/wallets.ts";
import { BlockMaker } from "./node/block-maker.ts";
import { withFileHandle } from "./node/file-handle.ts";
import { COLLECTION, genesis } from "./node/genesis.ts";
import { NodeGoneError, type NodeProcess, startNode } from "./node/node-process.ts";
import { readPackedState } from "./node/packed-state.ts";
import { SavedState, SavedStateError } from "./node/saved-state.ts";

const DAY_SECONDS = 86_400;
const DEFAULT_SEED = 1;
const DEFAULT_DAYS = 14;
// Maximum number of blocks to rebuild after a crash. Rebuilding them takes about three seconds.
const BLOCKS_BETWEEN_SAVES = 450;
const UNSAVED_AT_STOP = 100;
// The node does not respond while it dumps its state, so the first save must wait until the indexer has read
// the history.
const BLOCKS_BEFORE_FIRST_SAVE = 15;
// Maximum wait for the report of the node's exit. A call to a node that is exiting fails before the exit is
// reported.
const END_NOTICE_MS = 500;

/**
 * Starts the demo chain: a local node with the real DEX contracts and a market of traders. The same seed,
 * days and end time give the same blocks. Throws SavedStateError or NodeStartError.
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const saved = new SavedState(options.directory);
  const plan = saved.plan(freshPlan(options), { seed: options.seed });
  const node = await startFrom(saved, plan, options);
  try {
    const accounts = ((await node.client.call("eth_accounts")) as string[]).map(
      (account) => account.toLowerCase() as Hex,
    );
    const maker = await BlockMaker.open(node.client, plan.seed, accounts);
    const market = { plan, maker, client: node.client, wallets: assignWallets(accounts) };
    return new RunningMarket({ market, node, saved, options });
  } catch (error) {
    await node.end();
    throw error;
  }
}

function freshPlan({ seed = DEFAULT_SEED, days = DEFAULT_DAYS, endTime = now() }: DevnetOptions): MarketPlan {
  return { seed, startTime: Math.floor(endTime - days * DAY_SECONDS), endTime };
}

async function startFrom(saved: SavedState, plan: MarketPlan, options: DevnetOptions): Promise<NodeProcess> {
  const { port = 0, signal } = options;
  if (!saved.exists) {
    const file = saved.writeGenesis(genesis(MINTER, plan.startTime));
    return startNode({ port, signal, state: ["--init", file, "--timestamp", `${plan.startTime}`] });
  }
  try {
    return await startNode({ port, signal, state: ["--load-state", saved.unpack()] });
  } catch (cause) {
    if (signal?.aborted || cause instanceof SavedStateError) throw cause;
    throw new SavedStateError(options.directory, "cannot be loaded", cause);
  } finally {
    saved.discardUnpacked();
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

interface Parts {
  market: Market;
  node: NodeProcess;
  saved: SavedState;
  options: DevnetOptions;
}

class RunningMarket implements Devnet {
  readonly url: string;
  readonly chain: Chain;
  readonly pid: number;
  readonly highlights: Highlights;
  readonly historyDone: Promise<void>;
  readonly failed: Promise<never>;
  private readonly parts: Parts;
  private fail: (reason: unknown) => void = () => {};
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;
  private living: Promise<void>;
  /** Block of the saved state. -1 if there is none yet. */
  private savedBlock = -1;
  /** True once the history is complete. The times in the journal are then valid. */
  private complete = false;
  private broken = false;

  constructor(parts: Parts) {
    const { node, market, options } = parts;
    this.parts = parts;
    this.chain = { ...devnetChain(), blockTimeMs: options.blockTimeMs ?? BLOCK_TIME_MS };
    this.url = node.client.url;
    this.pid = node.pid;
    this.highlights = {
      token: WETH.address,
      symbol: WETH.symbol,
      pool: MAIN_POOL.address,
      wallet: market.wallets.trendFollowers[0] ?? MINTER,
      nft: COLLECTION,
    };
    const signals = [this.stopping.signal, ...(options.signal === undefined ? [] : [options.signal])];
    this.signal = AbortSignal.any(signals);
    this.failed = new Promise((_, reject) => {
      this.fail = (reason) => {
        this.broken = true;
        reject(reason);
      };
    });
    // Avoids an unhandled rejection if no caller awaits `failed`.
    this.failed.catch(() => {});
    this.historyDone = this.watched(this.makeHistory());
    this.living = this.historyDone;
    node.gone.then((end) => {
      if (!this.stopping.signal.aborted) this.fail(new NodeGoneError(end));
    });
  }

  goLive(): void {
    this.living = this.historyDone.then(() => this.watched(this.live()));
    this.living.catch(() => {});
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    try {
      // `failed` has already reported the failure.
      await this.living.catch(() => {});
      if (!this.broken && this.isWorthSaving()) await this.save();
    } finally {
      await this.parts.node.end();
    }
  }

  /**
   * Reports a failure through `failed`. If the node has exited, reports the exit, because it explains more
   * than the failed call.
   */
  private watched(work: Promise<void>): Promise<void> {
    const reported = work.catch(async (error: unknown) => {
      if (this.isInterruption(error)) throw error;
      const end = await Promise.race([this.parts.node.gone, sleep(END_NOTICE_MS)]);
      const reason = end === undefined ? error : new NodeGoneError(end, error);
      this.fail(reason);
      throw reason;
    });
    reported.catch(() => {});
    return reported;
  }

  private isInterruption(error: unknown): boolean {
    return error === this.signal.reason || (error instanceof Error && error.name === "AbortError");
  }

  private async makeHistory(): Promise<void> {
    const { market, saved, options } = this.parts;
    const { plan, maker, wallets } = market;
    if (saved.exists) {
      this.savedBlock = maker.number;
      const days = (plan.endTime - plan.startTime) / DAY_SECONDS;
      options.onResume?.({ days, endTime: plan.endTime, block: maker.number });
    } else {
      await openMarket(maker, wallets, (token) => hiddenPrice(plan.seed, token, plan.startTime));
      for (const time of historyTimes(maker.timestamp, plan.endTime)) {
        await this.mine(time);
        this.report();
      }
    }
    this.complete = true;
    for (const time of saved.journal(maker.number)) await this.mine(time);
    for (const time of gapTimes(maker.timestamp, options.endTime ?? now())) await this.mineNoted(time);
  }

  /**
   * Returns true if the state should be saved: it was never saved, or many blocks are unsaved. The journal
   * can restore these blocks, but it takes time to replay a long journal.
   */
  private isWorthSaving(): boolean {
    if (this.savedBlock < 0) return this.complete;
    return this.parts.market.maker.number - this.savedBlock > UNSAVED_AT_STOP;
  }

  private report(): void {
    const { market, options } = this.parts;
    const { startTime, endTime } = market.plan;
    const days = (endTime - startTime) / DAY_SECONDS;
    const day = (market.maker.timestamp - startTime) / DAY_SECONDS;
    options.onProgress?.({ day, days, blocks: market.maker.number });
  }

  private async live(): Promise<void> {
    for (let blocks = 0; ; ) {
      const { blockTimeMs } = this.chain;
      await sleep(blockTimeMs - (Date.now() % blockTimeMs), undefined, { signal: this.signal });
      const { maker } = this.parts.market;
      if (now() <= maker.timestamp) continue;
      await this.mineNoted(now());
      blocks += 1;
      const first = this.savedBlock < 0 && blocks >= BLOCKS_BEFORE_FIRST_SAVE;
      if (first || blocks >= BLOCKS_BETWEEN_SAVES) {
        await this.save();
        blocks = 0;
      }
    }
  }

  private async mineNoted(timestamp: number): Promise<void> {
    const { saved, market } = this.parts;
    await withFileHandle(() => saved.note(market.maker.number + 1, timestamp));
    await this.mine(timestamp);
  }

  private async mine(timestamp: number): Promise<void> {
    this.signal.throwIfAborted();
    await mineMarketBlock(this.parts.market, timestamp);
  }

  private async save(): Promise<void> {
    const { node, saved, market } = this.parts;
    const packed = await withFileHandle(() => readPackedState(node.client.url));
    await withFileHandle(() => saved.save(packed));
    this.savedBlock = market.maker.number;
  }
}
