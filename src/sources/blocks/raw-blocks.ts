import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError, UnsuitableEndpoint } from "../endpoints/endpoint-error.ts";
import type { JsonObject } from "../rpc/field-reader.ts";
import type { RpcCall, RpcOutcome } from "../rpc/json-rpc.ts";
import type { BlockRange } from "../source.ts";

/** A block and its receipts as an endpoint sent them; null if it does not have them. */
export interface RawBlock {
  number: number;
  block: unknown;
  receipts: unknown;
  /** Approximate size as JSON. */
  size: number;
}

interface FetchRawBlocksOptions {
  endpoint: Endpoint;
  signal: AbortSignal | undefined;
  /** Maximum number of blocks in one eth_getLogs range. */
  maxLogRange: number;
  /** Verification needs every receipt. Without verification, logs suffice if the endpoint has no receipts. */
  needsReceipts: boolean;
}

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
 * Reports missing methods to the endpoint, which remembers them.
 *
 * @throws EndpointError if a call is refused
 * @throws NoReceipts if verification needs receipts and the endpoint does not offer them
 */
export async function fetchRawBlocks(range: BlockRange, options: FetchRawBlocksOptions): Promise<RawBlock[]> {
  const numbers = Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i);
  const { endpoint, needsReceipts } = options;
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
  if (needsReceipts) throw new NoReceipts(endpoint.name);
  return withLogs(blocks, range, options);
}

async function withBlockReceipts(
  numbers: number[],
  options: FetchRawBlocksOptions,
): Promise<RawBlock[] | null> {
  const calls = numbers.flatMap((number) => [
    blockCall(number),
    { method: BLOCK_RECEIPTS, params: [hex(number)] },
  ]);
  const { outcomes, size } = await options.endpoint.send(calls, options.signal);
  if (outcomes.some((outcome, i) => i % 2 === 1 && isMissing(outcome))) return null;
  const results = outcomes.map((outcome) => resultOf(outcome, options.endpoint));
  const found = numbers.map((number, i) => ({
    number,
    block: results[2 * i],
    receipts: results[2 * i + 1],
    size: size / numbers.length,
  }));
  return Promise.all(found.map((raw) => withLastReceipt(raw, options)));
}

/**
 * Requests the last receipt if it is missing: some versions of Polygon's node omit the receipt of the
 * state-sync transaction.
 */
async function withLastReceipt(raw: RawBlock, options: FetchRawBlocksOptions): Promise<RawBlock> {
  const hashes = transactionHashes(raw);
  if (!Array.isArray(raw.receipts) || raw.receipts.length !== hashes.length - 1) return raw;
  const call = { method: TRANSACTION_RECEIPT, params: [hashes.at(-1)] };
  const { outcomes } = await options.endpoint.send([call], options.signal);
  const [outcome] = outcomes;
  if (outcome === undefined || "refusal" in outcome || outcome.result === null) return raw;
  return { ...raw, receipts: [...raw.receipts, outcome.result] };
}

async function onlyBlocks(numbers: number[], options: FetchRawBlocksOptions): Promise<RawBlock[]> {
  const { outcomes, size } = await options.endpoint.send(numbers.map(blockCall), options.signal);
  return numbers.map((number, i) => ({
    number,
    block: resultOf(outcomes[i], options.endpoint),
    receipts: null,
    size: size / numbers.length,
  }));
}

async function withTransactionReceipts(
  blocks: RawBlock[],
  options: FetchRawBlocksOptions,
): Promise<RawBlock[] | null> {
  const hashes = blocks.map(transactionHashes);
  const calls = hashes.flat().map((hash): RpcCall => ({ method: TRANSACTION_RECEIPT, params: [hash] }));
  const { outcomes, size } = await options.endpoint.send(calls, options.signal);
  if (outcomes.some(isMissing)) return null;
  const receipts = outcomes.map((outcome) => resultOf(outcome, options.endpoint));
  return blocks.map((raw, i) => {
    const own = receipts.splice(0, hashes[i]?.length ?? 0);
    // A lagging replica may have the block but not its receipts yet.
    return { ...raw, receipts: own.includes(null) ? null : own, size: raw.size + size / blocks.length };
  });
}

async function withLogs(
  blocks: RawBlock[],
  range: BlockRange,
  options: FetchRawBlocksOptions,
): Promise<RawBlock[]> {
  const logs = (await logsOf(range, options)) as JsonObject[];
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
 * Calls eth_getLogs over a range. Halves the range if the endpoint rejects its length or the size of the
 * response.
 */
async function logsOf(range: BlockRange, options: FetchRawBlocksOptions): Promise<unknown[]> {
  const { endpoint, signal, maxLogRange } = options;
  if (range.to - range.from >= maxLogRange) return inParts(range, range.from + maxLogRange - 1, options);
  const filter = { fromBlock: hex(range.from), toBlock: hex(range.to) };
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
  return Array.isArray(logs) ? logs : [];
}

async function inParts(
  range: BlockRange,
  middle: number,
  options: FetchRawBlocksOptions,
): Promise<unknown[]> {
  const first = await logsOf({ from: range.from, to: middle }, options);
  return [...first, ...(await logsOf({ from: middle + 1, to: range.to }, options))];
}

function transactionHashes(raw: RawBlock): string[] {
  const transactions = (raw.block as JsonObject | null)?.transactions;
  if (!Array.isArray(transactions)) return [];
  return transactions.map((tx: JsonObject) => String(tx.hash));
}

function isMissing(outcome: RpcOutcome): boolean {
  return "refusal" in outcome && outcome.refusal.kind === "method";
}

function resultOf(outcome: RpcOutcome | undefined, endpoint: Endpoint): unknown {
  if (outcome === undefined) throw new EndpointError(endpoint.name, "a call received no response");
  if ("refusal" in outcome)
    throw new EndpointError(endpoint.name, `"${outcome.refusal.message}" (${outcome.refusal.code})`);
  return outcome.result;
}

function blockCall(number: number): RpcCall {
  return { method: "eth_getBlockByNumber", params: [hex(number), true] };
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

/** Blocks from this endpoint cannot be verified. */
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
