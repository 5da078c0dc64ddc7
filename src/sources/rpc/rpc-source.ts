import { setTimeout as sleep } from "node:timers/promises";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { BlockRange, Source } from "../source.ts";
import { BlockFetcher } from "./block-fetcher.ts";
import { streamBlocks } from "./block-stream.ts";
import { ContractCalls } from "./contract-calls.ts";
import { EndpointError, type EndpointStatus } from "./endpoint.ts";
import { EndpointPool, type SourceLogger } from "./endpoint-pool.ts";
import { FieldReader } from "./rpc-fields.ts";
import { DEFAULT_RPC_LIMITS, type RpcLimits } from "./rpc-limits.ts";

export type { EndpointStatus } from "./endpoint.ts";
export type { SourceLogger } from "./endpoint-pool.ts";
export type { RpcLimits } from "./rpc-limits.ts";

export interface RpcSourceOptions {
  /** JSON-RPC over http:// or https://, the better first; credentials in the URL are sent as basic auth. */
  urls: string[];
  chain: Chain;
  /** False takes blocks as they are: for recordings that hold only some logs. */
  verify: boolean;
  logger?: SourceLogger;
  limits?: Partial<RpcLimits>;
}

const SILENT: SourceLogger = { info: () => {}, warn: () => {} };

/**
 * Blocks of one chain from JSON-RPC endpoints, each block proven against its header.
 *
 * @throws WrongChain when an endpoint serves another chain; an "endpoint" error when none can be reached;
 *   InvalidEndpointUrl
 */
export async function openRpcSource(options: RpcSourceOptions): Promise<RpcSource> {
  const logger = options.logger ?? SILENT;
  const limits = { ...DEFAULT_RPC_LIMITS, ...options.limits };
  const pool = new EndpointPool({ urls: options.urls, chain: options.chain, limits, logger });
  try {
    await pool.open();
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
  return new RpcSource(pool, options);
}

/** A Source that reads JSON-RPC endpoints. */
export class RpcSource implements Source {
  readonly #pool: EndpointPool;
  readonly #fetcher: BlockFetcher;
  readonly #calls: ContractCalls;

  constructor(pool: EndpointPool, options: { chain: Chain; verify: boolean }) {
    this.#pool = pool;
    this.#fetcher = new BlockFetcher(pool, options);
    this.#calls = new ContractCalls(pool);
  }

  endpoints(): EndpointStatus[] {
    return this.#pool.status();
  }

  async head(): Promise<BlockRef> {
    return this.#pool.run(
      async (endpoint) => {
        const { outcomes } = await endpoint.send([headerCall("latest")], undefined);
        const [outcome] = outcomes;
        if (outcome !== undefined && "result" in outcome) return toRef(outcome.result, "latest block");
        throw new EndpointError(endpoint.name, `the latest block was refused: "${outcome?.refusal.message}"`);
      },
      undefined,
      (failures) => failures < this.#pool.limits.maxCallAttempts,
    );
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    return this.#refOrNull(`0x${number.toString(16)}`);
  }

  async finalized(): Promise<BlockRef | null> {
    return this.#refOrNull("finalized");
  }

  blocks(range: BlockRange, signal: AbortSignal): AsyncIterable<Block> {
    return streamBlocks(this.#fetcher, range, { limits: this.#pool.limits, signal });
  }

  async call(calls: ContractCall[]): Promise<(Hex | null)[]> {
    return this.#calls.results(calls);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** An endpoint that lags knows less than the others, so that nothing is believed at once. */
  async #refOrNull(tag: string): Promise<BlockRef | null> {
    const { maxLinkAttempts, minRetryDelayMs } = this.#pool.limits;
    for (let attempt = 1; attempt <= maxLinkAttempts; attempt++) {
      const { outcomes } = await this.#pool.ask([headerCall(tag)]);
      const [outcome] = outcomes;
      if (outcome === undefined || "refusal" in outcome) return null;
      if (outcome.result !== null) return toRef(outcome.result, `block ${tag}`);
      await sleep(minRetryDelayMs);
    }
    return null;
  }
}

function headerCall(tag: string): { method: string; params: unknown[] } {
  return { method: "eth_getBlockByNumber", params: [tag, false] };
}

function toRef(json: unknown, where: string): BlockRef {
  const block = new FieldReader(json, where);
  return { number: block.integer("number"), hash: block.bytes("hash", 32) };
}
