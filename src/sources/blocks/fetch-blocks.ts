import { BaseError } from "../../lib/error.ts";
import { toQuantity } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError, UnsuitableEndpoint } from "../endpoints/endpoint-error.ts";
import type { Verification } from "../prover/prove-raw.ts";
import type { Prover } from "../prover/prover.ts";
import type { JsonObject } from "../rpc/field-reader.ts";
import type { BodyReader } from "../rpc/http-client.ts";
import type { RefusalKind, RpcCall, RpcOutcome, RpcRefusal } from "../rpc/json-rpc.ts";
import type { BlockRange } from "../source.ts";
import type { RawBlock } from "../wire/raw-block.ts";

/**
 * A block from an endpoint, unparsed or already proven by a worker thread, and its approximate size as JSON,
 * in bytes.
 */
export type FoundBlock = { size: number } & (RawBlock | { number: number; proven: Block });

/** A raw block and its approximate size as JSON, in bytes. */
type SizedRawBlock = RawBlock & { size: number };

export interface FetchBlocksOptions {
  endpoint: Endpoint;
  signal: AbortSignal | undefined;
  /** Maximum number of blocks in one eth_getLogs range. */
  maxLogRange: number;
  /** Maximum gas of the transactions whose receipts are requested together, if a block is too large. */
  maxReceiptGas: number;
  /**
   * Whether blocks are verified. Verification needs every receipt. Without verification, logs suffice if the
   * endpoint has no receipts.
   */
  verification: Verification;
  prover: Prover;
}

const BLOCK = "eth_getBlockByNumber";
const BLOCK_RECEIPTS = "eth_getBlockReceipts";
const TRANSACTION_RECEIPT = "eth_getTransactionReceipt";

/**
 * Fetches consecutive blocks with their receipts, in as few requests as the endpoint allows:
 *
 * 1. eth_getBlockByNumber and eth_getBlockReceipts in one batch.
 * 2. If the endpoint lacks the latter, eth_getTransactionReceipt for each transaction. Receipts contain all
 *    logs, so eth_getLogs would neither save a call nor add to the verification.
 * 3. If it lacks both and blocks are not verified, eth_getLogs over the range, in as many parts as the
 *    endpoint requires. Values that only receipts contain (status, gas used) remain unknown.
 *
 * Reports missing methods to the `Endpoint`, which remembers them.
 *
 * @throws EndpointError if a call is refused
 * @throws NoReceipts if verification needs receipts and the endpoint does not offer them
 */
export async function fetchBlocks(range: BlockRange, options: FetchBlocksOptions): Promise<FoundBlock[]> {
  const numbers = Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i);
  const { endpoint, verification } = options;
  if (endpoint.supports(BLOCK_RECEIPTS)) {
    const found = await withBlockReceipts(numbers, options);
    if (found !== null) return found;
    endpoint.report({ kind: "unsupported", method: BLOCK_RECEIPTS });
  }
  const blocks = await onlyBlocks(numbers, options);
  if (endpoint.supports(TRANSACTION_RECEIPT)) {
    const found = await withTransactionReceipts(blocks, options);
    if (found !== null) return found;
    endpoint.report({ kind: "unsupported", method: TRANSACTION_RECEIPT });
  }
  if (verification.verify) throw new NoReceipts(endpoint.name);
  return withLogs(blocks, range, options);
}

/**
 * Fetches one block whose receipts are too large for one response: requests the block first, and then the
 * receipts of its transactions in groups. Transactions of a few hundred million gas, which a block of some
 * chains can hold, can emit a million logs.
 *
 * @throws EndpointError if a call is refused, or if the endpoint does not offer receipts by transaction
 */
export async function fetchLargeBlock(number: number, options: FetchBlocksOptions): Promise<FoundBlock[]> {
  const [raw] = await onlyBlocks([number], options);
  if (raw === undefined) return [];
  const receipts: unknown[] = [];
  let { size } = raw;
  for (const hashes of groupsByGas(raw, options.maxReceiptGas)) {
    const found = await transactionReceipts(hashes, options);
    if (found === null) throw new EndpointError(options.endpoint.name, `offers no ${TRANSACTION_RECEIPT}`);
    receipts.push(...found.receipts);
    size += found.size;
  }
  return [{ ...raw, receipts: receipts.includes(null) ? null : receipts, size }];
}

/**
 * Groups the hashes of a block's transactions. The gas limit of a transaction bounds the size of its receipt:
 * each log takes at least 375 gas.
 */
function groupsByGas(raw: RawBlock, maxGas: number): string[][] {
  const groups: string[][] = [];
  let left = 0;
  for (const { hash, gas } of transactionsOf(raw)) {
    left -= Number(gas);
    const group = left < 0 ? undefined : groups.at(-1);
    if (group === undefined) {
      groups.push([String(hash)]);
      left = maxGas - Number(gas);
    } else group.push(String(hash));
  }
  return groups;
}

/**
 * Returns true if a request failed because its response was too large: for Quarry, or for the endpoint.
 */
export function isTooLarge(error: unknown): boolean {
  if (error instanceof ResultRefused) return error.kind === "size";
  return (
    error instanceof EndpointError && error.cause instanceof BaseError && error.cause.code === "too-large"
  );
}

async function withBlockReceipts(
  numbers: number[],
  options: FetchBlocksOptions,
): Promise<FoundBlock[] | null> {
  const calls = numbers.flatMap((number) => [blockCall(number), receiptsCall(number)]);
  const { outcomes, size } = await options.endpoint.send(calls, options.signal, {
    reader: threadReader(options),
  });
  if (outcomes.some((outcome, i) => i % 2 === 1 && isMissing(outcome))) return null;
  const results = outcomes.map((outcome) => resultOf(outcome, options.endpoint));
  return Promise.all(
    numbers.map((number, i) => {
      const [block, receipts] = results.slice(2 * i, 2 * i + 2);
      const blockSize = size / numbers.length;
      if (block instanceof ProvenBlock) return { number, proven: block.block, size: blockSize };
      return withLastReceipt({ number, block, receipts, size: blockSize }, options);
    }),
  );
}

/** Replaces the results of both calls for a block that a worker thread has proven. */
class ProvenBlock {
  readonly block: Block;

  constructor(block: Block) {
    this.block = block;
  }
}

/**
 * Returns a reader that lets a worker thread parse a response and prove its blocks, if the calls request
 * blocks with their receipts.
 */
function threadReader({ prover, verification, signal }: FetchBlocksOptions): BodyReader {
  return async (body, calls) => {
    const numbers = numbersOf(calls);
    const found = numbers && (await prover.response(body, numbers, verification, signal));
    if (found === null) return null;
    const results = found.blocks.map((block) => ({ result: new ProvenBlock(block) }));
    return { outcomes: results.flatMap((result) => [result, result]), size: found.size };
  };
}

/**
 * Returns the numbers of the blocks that the calls request with receipts; null if there are any other calls.
 */
function numbersOf(calls: readonly RpcCall[]): number[] | null {
  const numbers: number[] = [];
  for (let i = 0; i < calls.length; i += 2) {
    const [block, receipts] = calls.slice(i, i + 2);
    const number = block?.params[0];
    if (block?.method !== BLOCK || receipts?.method !== BLOCK_RECEIPTS || receipts.params[0] !== number)
      return null;
    numbers.push(Number(number));
  }
  return numbers;
}

/**
 * Requests the last transaction's receipt if exactly one receipt is missing: some versions of Polygon's node
 * omit the receipt of the state-sync transaction, which is the last one. Returns the block with this receipt.
 */
async function withLastReceipt(raw: SizedRawBlock, options: FetchBlocksOptions): Promise<SizedRawBlock> {
  const hashes = transactionHashes(raw);
  if (!Array.isArray(raw.receipts) || raw.receipts.length !== hashes.length - 1) return raw;
  const call = { method: TRANSACTION_RECEIPT, params: [hashes.at(-1)] };
  const { outcomes } = await options.endpoint.send([call], options.signal);
  const [outcome] = outcomes;
  if (outcome === undefined || "refusal" in outcome || outcome.result === null) return raw;
  return { ...raw, receipts: [...raw.receipts, outcome.result] };
}

async function onlyBlocks(numbers: number[], options: FetchBlocksOptions): Promise<SizedRawBlock[]> {
  const { outcomes, size } = await options.endpoint.send(numbers.map(blockCall), options.signal);
  return numbers.map((number, i) => ({
    number,
    block: resultOf(outcomes[i], options.endpoint),
    receipts: null,
    size: size / numbers.length,
  }));
}

async function withTransactionReceipts(
  blocks: SizedRawBlock[],
  options: FetchBlocksOptions,
): Promise<SizedRawBlock[] | null> {
  const hashes = blocks.map(transactionHashes);
  const found = await transactionReceipts(hashes.flat(), options);
  if (found === null) return null;
  const { receipts, size } = found;
  return blocks.map((raw, i) => {
    const own = receipts.splice(0, hashes[i]?.length ?? 0);
    // A lagging replica may have the block but not its receipts yet.
    return { ...raw, receipts: own.includes(null) ? null : own, size: raw.size + size / blocks.length };
  });
}

/** Returns the receipts of transactions, in order; null if the endpoint does not offer the method. */
async function transactionReceipts(
  hashes: readonly string[],
  { endpoint, signal }: FetchBlocksOptions,
): Promise<{ receipts: unknown[]; size: number } | null> {
  const calls = hashes.map((hash): RpcCall => ({ method: TRANSACTION_RECEIPT, params: [hash] }));
  const { outcomes, size } = await endpoint.send(calls, signal);
  if (outcomes.some(isMissing)) return null;
  return { receipts: outcomes.map((outcome) => resultOf(outcome, endpoint)), size };
}

async function withLogs(
  blocks: SizedRawBlock[],
  range: BlockRange,
  options: FetchBlocksOptions,
): Promise<SizedRawBlock[]> {
  const logs = (await logsOf(range, options)) as JsonObject[];
  requireLogsOf(blocks, logs, options.endpoint);
  return blocks.map((raw) => ({
    ...raw,
    receipts: transactionHashes(raw).map((hash) => ({
      transactionHash: hash,
      blockHash: (raw.block as JsonObject).hash,
      cumulativeGasUsed: "0x0",
      gasUsed: "0x0",
      logs: logs.filter((log) => log.transactionHash === hash),
    })),
  }));
}

/**
 * Checks that the logs belong to these blocks. Otherwise, a reorg between the requests would leave blocks
 * without their logs.
 */
function requireLogsOf(blocks: readonly RawBlock[], logs: readonly JsonObject[], { name }: Endpoint): void {
  const hashes = new Set(blocks.map(({ block }) => (block as JsonObject | null)?.hash));
  const foreign = logs.find(({ blockHash }) => !hashes.has(blockHash));
  if (foreign === undefined) return;
  throw new EndpointError(
    name,
    `eth_getLogs: a log has block hash ${foreign.blockHash}, which belongs to none of the requested blocks`,
  );
}

/**
 * Calls eth_getLogs over a range. Halves the range if the endpoint rejects its length or the size of the
 * response.
 */
async function logsOf(range: BlockRange, options: FetchBlocksOptions): Promise<unknown[]> {
  const { endpoint, signal, maxLogRange } = options;
  if (range.to - range.from >= maxLogRange) return inParts(range, range.from + maxLogRange - 1, options);
  const filter = { fromBlock: toQuantity(range.from), toBlock: toQuantity(range.to) };
  const { outcomes } = await endpoint.send([{ method: "eth_getLogs", params: [filter] }], signal);
  const [outcome] = outcomes;
  if (
    outcome !== undefined &&
    "refusal" in outcome &&
    outcome.refusal.kind === "size" &&
    range.to > range.from
  ) {
    return inParts(range, (range.from + range.to) >> 1, options);
  }
  const logs = resultOf(outcome, endpoint);
  if (!Array.isArray(logs)) throw new EndpointError(endpoint.name, "eth_getLogs: expected a list");
  return logs;
}

async function inParts(range: BlockRange, middle: number, options: FetchBlocksOptions): Promise<unknown[]> {
  const first = await logsOf({ from: range.from, to: middle }, options);
  return [...first, ...(await logsOf({ from: middle + 1, to: range.to }, options))];
}

function transactionHashes(raw: RawBlock): string[] {
  return transactionsOf(raw).map(({ hash }) => String(hash));
}

function transactionsOf({ block }: RawBlock): JsonObject[] {
  const transactions = (block as JsonObject | null)?.transactions;
  return Array.isArray(transactions) ? transactions : [];
}

function isMissing(outcome: RpcOutcome): boolean {
  return "refusal" in outcome && outcome.refusal.kind === "method";
}

function resultOf(outcome: RpcOutcome | undefined, endpoint: Endpoint): unknown {
  if (outcome === undefined) throw new EndpointError(endpoint.name, "a call received no response");
  if ("refusal" in outcome) throw new ResultRefused(endpoint, outcome.refusal);
  return outcome.result;
}

function blockCall(number: number): RpcCall {
  return { method: BLOCK, params: [toQuantity(number), true] };
}

function receiptsCall(number: number): RpcCall {
  return { method: BLOCK_RECEIPTS, params: [toQuantity(number)] };
}

class ResultRefused extends EndpointError {
  readonly kind: RefusalKind;

  constructor({ name }: Endpoint, { kind, message, code }: RpcRefusal) {
    super(name, `"${message}" (${code})`);
    this.kind = kind;
  }
}

/** The endpoint offers no receipts, so its blocks cannot be verified. */
class NoReceipts extends UnsuitableEndpoint {
  constructor(endpoint: string) {
    super(
      "unsupported",
      `${endpoint} offers neither ${BLOCK_RECEIPTS} nor ${TRANSACTION_RECEIPT}, so blocks cannot be verified: ` +
        "give another RPC URL, or switch verification off",
      // Another endpoint may offer them.
      { retryable: true },
    );
  }
}
