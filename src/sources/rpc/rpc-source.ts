import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { BlockRange, Source } from "../source.ts";
import { BlockFetcher } from "./block-fetcher.ts";
import { streamBlocks } from "./block-stream.ts";
import { ContractCalls } from "./contract-calls.ts";
import { type Endpoint, EndpointError, type EndpointStatus } from "./endpoint.ts";
import { EndpointPool, type SourceLogger } from "./endpoint-pool.ts";
import type { RpcOutcome, RpcRefusal } from "./json-rpc.ts";
import { sleepUnlessAborted } from "./retry.ts";
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
  /** Ends whatever the source does, the opening included. */
  signal?: AbortSignal;
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
  const { urls, chain, signal } = options;
  const pool = new EndpointPool({ urls, chain, limits, logger, ...(signal === undefined ? {} : { signal }) });
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

  /** The highest head that any endpoint shows. */
  async head(): Promise<BlockRef> {
    let asked: Endpoint | undefined;
    const head = await this.#pool.runBriefly((endpoint) => {
      asked = endpoint;
      return this.#headOf(endpoint, this.#pool.signal);
    });
    // The quickest endpoint may be one that has stopped following the chain.
    const others = await this.#pool.askOthers(asked, (endpoint, signal) => this.#headOf(endpoint, signal));
    return others.reduce((highest, other) => (other.number > highest.number ? other : highest), head);
  }

  async nextHead(pollMs: number, signal: AbortSignal): Promise<void> {
    await sleepUnlessAborted(pollMs, signal).catch(() => undefined);
  }

  /** An endpoint that lags knows less than the others, so that no null is believed at once. */
  async blockRef(number: number): Promise<BlockRef | null> {
    const { maxLinkAttempts, minRetryDelayMs } = this.#pool.limits;
    for (let attempt = 1; attempt <= maxLinkAttempts; attempt++) {
      const found = await this.#pool.runBriefly((endpoint) => this.#refAt(endpoint, number));
      if (found !== null) return found;
      await sleepUnlessAborted(minRetryDelayMs, this.#pool.signal);
    }
    return null;
  }

  async finalized(): Promise<BlockRef | null> {
    return this.#pool.runBriefly(async (endpoint) => {
      const outcome = await this.#header(endpoint, "finalized");
      if ("refusal" in outcome || outcome.result === null) return null;
      return toRef(outcome.result, "finalized block");
    });
  }

  blocks(range: BlockRange, signal: AbortSignal): AsyncIterable<Block> {
    return streamBlocks(this.#fetcher, range, { limits: this.#pool.limits, signal });
  }

  async call(calls: ContractCall[]): Promise<(Hex | null)[]> {
    return this.#calls.results(calls);
  }

  trouble(): string | null {
    return this.#pool.trouble();
  }

  /** Why no endpoint can be used, while none can; null as soon as one answers again. */
  outage(): string | null {
    return this.#pool.trouble();
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** A refusal is no answer, and neither is another block: taken for a fork, they would undo good blocks. */
  async #refAt(endpoint: Endpoint, number: number): Promise<BlockRef | null> {
    const outcome = await this.#header(endpoint, `0x${number.toString(16)}`);
    if ("refusal" in outcome) throw refused(endpoint, `block ${number}`, outcome.refusal);
    if (outcome.result === null) return null;
    const ref = toRef(outcome.result, `block ${number}`);
    if (ref.number === number) return ref;
    throw new EndpointError(endpoint.name, `block ${ref.number} was sent for block ${number}`);
  }

  async #headOf(endpoint: Endpoint, signal: AbortSignal): Promise<BlockRef> {
    const outcome = await this.#header(endpoint, "latest", signal);
    if ("result" in outcome) return toRef(outcome.result, "latest block");
    throw refused(endpoint, "the latest block", outcome.refusal);
  }

  async #header(endpoint: Endpoint, tag: string, signal = this.#pool.signal): Promise<RpcOutcome> {
    const call = { method: "eth_getBlockByNumber", params: [tag, false] };
    const { outcomes } = await endpoint.send([call], signal);
    return outcomes[0] ?? { result: null };
  }
}

function refused(endpoint: Endpoint, what: string, { message, code }: RpcRefusal): EndpointError {
  return new EndpointError(endpoint.name, `${what} was refused: "${message}" (${code})`);
}

function toRef(json: unknown, where: string): BlockRef {
  const block = new FieldReader(json, where);
  return { number: block.integer("number"), hash: block.bytes("hash", 32) };
}
