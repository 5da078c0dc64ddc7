import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import type { Block, BlockRef, Log } from "../schema/block.ts";
import type { ContractCall } from "../schema/contract-call.ts";
import type { LogFilter } from "../schema/log-filter.ts";
import { BlockFetcher } from "./blocks/block-fetcher.ts";
import { streamBlocks } from "./blocks/block-stream.ts";
import { ContractCalls } from "./calls/contract-calls.ts";
import { PastLogs } from "./calls/past-logs.ts";
import type { EndpointStatus } from "./endpoints/endpoint.ts";
import { EndpointPool, type SourceLogger } from "./endpoints/endpoint-pool.ts";
import { ChainHead } from "./heads/chain-head.ts";
import { HeadAnnouncements } from "./heads/head-announcements.ts";
import { askBlock, finalizedBlock } from "./heads/header-requests.ts";
import { DEFAULT_RPC_LIMITS, type RpcLimits } from "./rpc/limits.ts";
import { sleepUnlessAborted, stoppable } from "./rpc/retry.ts";
import { endpointUrls } from "./rpc/url.ts";
import type { BlockRange, Source } from "./source.ts";

export type { EndpointStatus } from "./endpoints/endpoint.ts";
export type { SourceLogger } from "./endpoints/endpoint-pool.ts";
export type { RpcLimits } from "./rpc/limits.ts";

export interface RpcSourceOptions {
  /**
   * JSON-RPC over http:// or https://, at least one, the better first; ws:// and wss:// ones announce new heads.
   * Credentials in a URL are sent as basic auth.
   */
  urls: string[];
  chain: Chain;
  /** False takes blocks as they are: for recordings that hold only some logs. */
  verify: boolean;
  logger?: SourceLogger;
  limits?: Partial<RpcLimits>;
  /** Ends whatever the source does, the opening included. */
  signal?: AbortSignal;
}

const SILENT: SourceLogger = { info: () => {}, warn: () => {} };

/**
 * Blocks of one chain from JSON-RPC endpoints, each block proven against its header.
 *
 * @throws WrongChain when an endpoint serves another chain; an "endpoint" error when none can be reached;
 *   InvalidEndpointUrl; OnlyWebSockets
 */
export async function openRpcSource(options: RpcSourceOptions): Promise<RpcSource> {
  const logger = options.logger ?? SILENT;
  const limits = { ...DEFAULT_RPC_LIMITS, ...options.limits };
  const { chain, signal } = options;
  const { urls, sockets } = endpointUrls(options.urls, chain);
  const pool = new EndpointPool({ urls, chain, limits, logger, ...(signal === undefined ? {} : { signal }) });
  const announcements = new HeadAnnouncements({ chain, limits, logger, signal: pool.signal });
  try {
    await Promise.all([pool.open(), announcements.subscribe(sockets)]);
  } catch (error) {
    await pool.close();
    throw error;
  }
  if (!options.verify) {
    logger.warn(
      { chain: options.chain.name },
      "blocks are NOT verified: whatever the endpoints send is stored as it is",
    );
  }
  logger.info(
    { chain: options.chain.name, endpoints: pool.status().map((status) => status.url) },
    "RPC endpoints are ready",
  );
  return new RpcSource(pool, { ...options, announcements, logger });
}

/** A Source that reads JSON-RPC endpoints. */
export class RpcSource implements Source {
  readonly #pool: EndpointPool;
  readonly #head: ChainHead;
  readonly #announcements: HeadAnnouncements;
  readonly #fetcher: BlockFetcher;
  readonly #calls: ContractCalls;
  readonly #pastLogs: PastLogs;

  constructor(
    pool: EndpointPool,
    options: { chain: Chain; verify: boolean; announcements: HeadAnnouncements; logger: SourceLogger },
  ) {
    this.#pool = pool;
    this.#head = new ChainHead(pool);
    this.#announcements = options.announcements;
    this.#fetcher = new BlockFetcher(pool, options);
    this.#calls = new ContractCalls(pool);
    this.#pastLogs = new PastLogs(pool, options.logger);
  }

  endpoints(): EndpointStatus[] {
    return this.#pool.status();
  }

  async head(known?: BlockRef | null): Promise<BlockRef> {
    this.#announcements.look();
    const head = await this.#head.find(known);
    this.#announcements.saw(head);
    return head;
  }

  async nextHead(pollMs: number, signal: AbortSignal): Promise<void> {
    this.#announcements.tryAt(this.#pool.checked());
    await stoppable([signal, this.#pool.signal], (stop) => this.#announcements.next(pollMs, stop.signal));
  }

  /** An endpoint that lags knows less than the others, so that no null is believed at once. */
  async blockRef(number: number): Promise<BlockRef | null> {
    const { limits, signal } = this.#pool;
    for (let attempt = 1; attempt <= limits.maxLinkAttempts; attempt++) {
      const found = await this.#pool.runBriefly((endpoint) => askBlock(endpoint, number, signal), number);
      if (found !== null) return found;
      await sleepUnlessAborted(limits.minRetryDelayMs, signal);
    }
    return null;
  }

  /** The lowest that any endpoint in good standing names: what is called final too early would be kept for good. */
  async finalized(): Promise<BlockRef | null> {
    const answers = await this.#pool.askAll(finalizedBlock);
    if (answers.length === 0) {
      return this.#pool.runBriefly((endpoint) => finalizedBlock(endpoint, this.#pool.signal));
    }
    const named = answers.flatMap(({ answer }) => answer ?? []);
    return named.sort((a, b) => a.number - b.number)[0] ?? null;
  }

  blocks(range: BlockRange, signal: AbortSignal): AsyncIterable<Block> {
    return streamBlocks(this.#fetcher, range, { limits: this.#pool.limits, signal });
  }

  async call(calls: ContractCall[]): Promise<(Hex | null)[]> {
    return this.#calls.results(calls);
  }

  async pastLogs(filter: LogFilter): Promise<Log[] | null> {
    return this.#pastLogs.find(filter);
  }

  /** Why no endpoint can be used, while none can; null as soon as one answers again. */
  outage(): string | null {
    return this.#pool.outage();
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
