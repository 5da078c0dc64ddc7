import { type Chain, cashOf } from "../chains/chain.ts";
import { withAbort } from "../lib/async/abort.ts";
import { type Clock, systemClock } from "../lib/async/clock.ts";
import type { Hex } from "../lib/hex.ts";
import type { Block, BlockRef, Log } from "../schema/block.ts";
import type { ContractCall } from "../schema/contract-call.ts";
import type { LogFilter } from "../schema/log-filter.ts";
import { BlockFetcher } from "./blocks/block-fetcher.ts";
import { streamBlocks } from "./blocks/block-stream.ts";
import { type HeaderContent, HeaderFetcher, type HeaderSource } from "./blocks/header-fetcher.ts";
import { requireAgreedDecimals } from "./calls/agreed-decimals.ts";
import { type AgreedResults, ContractCalls } from "./calls/contract-calls.ts";
import type { EndpointStatus } from "./endpoints/endpoint.ts";
import { EndpointPool, type EndpointResult } from "./endpoints/endpoint-pool.ts";
import type { SourceLogger } from "./endpoints/warnings.ts";
import { ChainHead } from "./heads/chain-head.ts";
import { isConfirmed } from "./heads/confirmed-block.ts";
import { HeadAnnouncements } from "./heads/head-announcements.ts";
import { requestBlock, requestFinalized } from "./heads/header-requests.ts";
import { requireUndisputed } from "./heads/undisputed-block.ts";
import { PastLogs } from "./logs/past-logs.ts";
import { Prover } from "./prover/prover.ts";
import { DEFAULT_RPC_LIMITS, type RpcLimits } from "./rpc/limits.ts";
import { endpointUrls } from "./rpc/url.ts";
import type { BlockRange, Source } from "./source.ts";
import type { HeaderWithHashes } from "./wire/rpc-block.ts";

export type { EndpointStatus } from "./endpoints/endpoint.ts";
export type { SourceLogger } from "./endpoints/warnings.ts";
export type { RpcLimits } from "./rpc/limits.ts";

export interface RpcSourceOptions {
  /**
   * URLs in order of preference. At least one must be an http:// or https:// URL, for JSON-RPC. ws:// and
   * wss:// URLs announce new heads. Credentials in a URL are sent as basic authentication.
   */
  urls: readonly string[];
  chain: Chain;
  /**
   * If false, accepts blocks without verification, for example from recordings that contain only some logs.
   */
  verify: boolean;
  /** Whether senders of transactions are compared with their signatures; default: no. */
  verifySenders?: boolean;
  /**
   * The prover of the blocks; default: one that works on the main thread. The caller must close it after the
   * source.
   */
  prover?: Prover;
  logger?: SourceLogger;
  limits?: Partial<RpcLimits>;
  clock?: Clock;
  /** Stops all work of the source, even while it is being opened. */
  signal?: AbortSignal;
}

const SILENT: SourceLogger = { info: () => {}, warn: () => {} };

/**
 * Opens a source that reads the blocks of one chain from JSON-RPC endpoints, and verifies each against its
 * header if `verify` is true.
 *
 * @throws WrongChain if an endpoint serves another chain; an "endpoint" error if none can be reached;
 * InvalidEndpointUrl; OnlyWebSockets
 */
export async function openRpcSource(options: RpcSourceOptions): Promise<RpcSource> {
  const { chain, verify, verifySenders: senders = false, prover = new Prover(0) } = options;
  const { logger = SILENT, clock = systemClock } = options;
  const limits = { ...DEFAULT_RPC_LIMITS, ...options.limits };
  const { urls, sockets } = endpointUrls(options.urls, chain.name);
  const pool = new EndpointPool({ urls, chain, limits, logger, clock, signal: options.signal });
  const announcements = new HeadAnnouncements({ chain, limits, clock, logger, signal: pool.signal });
  try {
    await Promise.all([pool.open(), announcements.subscribe(sockets)]);
  } catch (error) {
    await pool.close();
    throw error;
  }
  if (!verify) {
    logger.warn({ chain: chain.name }, "blocks are NOT verified: they are stored as the endpoints send them");
  }
  logger.info(
    { chain: chain.name, endpoints: pool.status().map((status) => status.url) },
    "RPC endpoints are ready",
  );
  const fetchers = {
    blocks: new BlockFetcher(pool, { chainId: chain.chainId, verify, senders }, prover),
    headers: new HeaderFetcher(pool, chain, senders),
  };
  const coins = new Set(cashOf(chain).keys());
  return new RpcSource(pool, announcements, fetchers, { logger, coins });
}

/** A Source that reads JSON-RPC endpoints. */
export class RpcSource implements Source, HeaderSource {
  readonly #pool: EndpointPool;
  readonly #head: ChainHead;
  readonly #announcements: HeadAnnouncements;
  readonly #fetchers: { blocks: BlockFetcher; headers: HeaderFetcher };
  readonly #calls: ContractCalls;
  readonly #pastLogs: PastLogs;
  /** The coins on whose decimals the endpoints must agree. */
  readonly #coins: ReadonlySet<Hex>;
  /** Number of the last head that was found; null before the first. */
  #headNumber: number | null = null;
  /** Hash of the last final block that was undisputed, kept so that each block is checked only once. */
  #undisputedFinal: Hex | null = null;

  constructor(
    pool: EndpointPool,
    announcements: HeadAnnouncements,
    fetchers: { blocks: BlockFetcher; headers: HeaderFetcher },
    { logger, coins }: { logger: SourceLogger; coins: ReadonlySet<Hex> },
  ) {
    this.#pool = pool;
    this.#head = new ChainHead(pool);
    this.#announcements = announcements;
    this.#fetchers = fetchers;
    this.#calls = new ContractCalls(pool, logger);
    this.#pastLogs = new PastLogs(pool, logger);
    this.#coins = coins;
  }

  endpoints(): EndpointStatus[] {
    return this.#pool.status();
  }

  async head(known?: BlockRef | null): Promise<BlockRef> {
    this.#announcements.requesting();
    const head = await this.#head.find(known);
    this.#announcements.found(head);
    this.#headNumber = head.number;
    return { number: head.number, hash: head.hash };
  }

  async nextHead(pollMs: number, signal: AbortSignal): Promise<void> {
    this.#announcements.tryAt(this.#pool.checked());
    await withAbort([signal, this.#pool.signal], ({ signal: either }) =>
      this.#announcements.next(pollMs, either),
    );
  }

  /** Returns null only after several attempts, because a lagging endpoint may not have the block yet. */
  async blockRef(number: number): Promise<BlockRef | null> {
    const { limits, clock, signal } = this.#pool;
    for (let attempt = 1; attempt <= limits.maxLinkAttempts; attempt++) {
      const found = await this.#pool.runBriefly((endpoint) => requestBlock(endpoint, number, signal), {
        block: number,
      });
      if (found !== null) return found;
      await clock.sleep(limits.minRetryDelayMs, signal);
    }
    return null;
  }

  async hasBlock(block: BlockRef): Promise<boolean> {
    return isConfirmed(block, this.#pool);
  }

  /**
   * Returns the lowest of the newest final blocks that the available endpoints report, because a block cannot
   * be un-finalized. An endpoint that is stuck counts only if no other one reports a final block.
   *
   * @throws DisputedBlock
   */
  async finalized(): Promise<BlockRef | null> {
    const results = await this.#pool.requestAll(requestFinalized);
    if (results.length === 0) {
      return this.#pool.runBriefly((endpoint) => requestFinalized(endpoint, this.#pool.signal));
    }
    const following = results.filter(({ endpoint }) => !this.#head.isStuck(endpoint));
    const lowest = lowestOf(following) ?? lowestOf(results);
    if (lowest !== null && lowest.hash !== this.#undisputedFinal) await this.requireUndisputed(lowest);
    this.#undisputedFinal = lowest?.hash ?? null;
    return lowest;
  }

  /** An endpoint that is stuck does not count: its chain may have been abandoned. */
  async requireUndisputed(block: BlockRef): Promise<void> {
    await requireUndisputed(block, this.#pool, (endpoint) => !this.#head.isStuck(endpoint));
  }

  blocks(range: BlockRange, signal: AbortSignal): AsyncIterable<Block> {
    const { limits, clock } = this.#pool;
    return streamBlocks(this.#fetchers.blocks, range, { limits, clock, signal });
  }

  headers(
    numbers: readonly number[],
    content: HeaderContent,
    signal: AbortSignal,
  ): Promise<HeaderWithHashes[]> {
    return this.#fetchers.headers.headers(numbers, content, signal);
  }

  /** @throws DisputedDecimals */
  async call(calls: ContractCall[]): Promise<(Hex | null)[]> {
    const results = await this.#calls.results(calls, this.#headNumber);
    await requireAgreedDecimals(calls, results, { pool: this.#pool, coins: this.#coins });
    return results;
  }

  /**
   * Returns the results of calls in the state of one block, in order: null for a call that fails, undefined
   * for a call on which two endpoints disagree. Returns null in place of the list if no endpoint has that
   * state.
   */
  async callAt(block: BlockRef, calls: readonly ContractCall[]): Promise<AgreedResults | null> {
    return this.#calls.resultsAt(block, calls);
  }

  async pastLogs(filter: LogFilter): Promise<Log[] | null> {
    return this.#pastLogs.find(filter);
  }

  /** Returns why no endpoint can be used; null while at least one can. */
  outage(): string | null {
    return this.#pool.outage();
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** Returns the lowest final block among the results; null if there is none. */
function lowestOf(results: readonly EndpointResult<BlockRef | null>[]): BlockRef | null {
  const finalized = results.flatMap(({ result }) => result ?? []);
  return finalized.sort((a, b) => a.number - b.number)[0] ?? null;
}
