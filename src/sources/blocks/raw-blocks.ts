import { BaseError } from "../../lib/error.ts";
import { type Endpoint, EndpointError } from "../endpoints/endpoint.ts";
import type { JsonObject } from "../rpc/field-reader.ts";
import type { RpcCall, RpcOutcome } from "../rpc/json-rpc.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import type { BlockRange } from "../source.ts";

/** A block and its receipts as an endpoint sent them; null where it has none. */
export interface RawBlock {
  number: number;
  block: unknown;
  receipts: unknown;
  /** Size as JSON, about. */
  size: number;
}

interface Question {
  endpoint: Endpoint;
  signal: AbortSignal | undefined;
  limits: RpcLimits;
  /** Proofs need every receipt; without proofs, logs alone will do where there are no receipts. */
  needsReceipts: boolean;
}

/**
 * Fetches consecutive blocks with their receipts, in as few requests as the endpoint allows:
 *
 * 1. eth_getBlockByNumber and eth_getBlockReceipts in one batch;
 * 2. where the endpoint lacks the latter, eth_getTransactionReceipt for each transaction. These carry all
 *    logs, so that eth_getLogs could neither save a call nor add to the proof;
 * 3. where it lacks both and nothing has to be proven, eth_getLogs over the range, in as many pieces as the
 *    endpoint wants. What only receipts tell (status, gas used) stays unknown.
 *
 * What an endpoint lacks is remembered.
 *
 * @throws EndpointError when a call is refused
 */
export async function fetchRawBlocks(range: BlockRange, question: Question): Promise<RawBlock[]> {
  const numbers = Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i);
  if (question.endpoint.hasBlockReceipts) {
    const found = await withBlockReceipts(numbers, question);
    if (found !== null) return found;
    question.endpoint.hasBlockReceipts = false;
  }
  const blocks = await onlyBlocks(numbers, question);
  if (question.endpoint.hasTransactionReceipts) {
    const found = await withTransactionReceipts(blocks, question);
    if (found !== null) return found;
    question.endpoint.hasTransactionReceipts = false;
  }
  if (question.needsReceipts) {
    const error = new NoReceipts(question.endpoint.name);
    question.endpoint.refusedFor = error.message;
    throw error;
  }
  return withLogs(blocks, range, question);
}

async function withBlockReceipts(numbers: number[], question: Question): Promise<RawBlock[] | null> {
  const calls = numbers.flatMap((number) => [
    blockCall(number),
    { method: "eth_getBlockReceipts", params: [hex(number)] },
  ]);
  const { outcomes, size } = await question.endpoint.send(calls, question.signal);
  if (outcomes.some((outcome, i) => i % 2 === 1 && isMissing(outcome))) return null;
  const results = outcomes.map((outcome) => resultOf(outcome, question.endpoint));
  const found = numbers.map((number, i) => ({
    number,
    block: results[2 * i],
    receipts: results[2 * i + 1],
    size: size / numbers.length,
  }));
  return Promise.all(found.map((raw) => withLastReceipt(raw, question)));
}

/** Some versions of Polygon's node leave the state-sync transaction's receipt, the last, out of the list. */
async function withLastReceipt(raw: RawBlock, question: Question): Promise<RawBlock> {
  const hashes = transactionHashes(raw);
  if (!Array.isArray(raw.receipts) || raw.receipts.length !== hashes.length - 1) return raw;
  const call = { method: "eth_getTransactionReceipt", params: [hashes.at(-1)] };
  const { outcomes } = await question.endpoint.send([call], question.signal);
  const [outcome] = outcomes;
  if (outcome === undefined || "refusal" in outcome || outcome.result === null) return raw;
  return { ...raw, receipts: [...raw.receipts, outcome.result] };
}

async function onlyBlocks(numbers: number[], question: Question): Promise<RawBlock[]> {
  const { outcomes, size } = await question.endpoint.send(numbers.map(blockCall), question.signal);
  return numbers.map((number, i) => ({
    number,
    block: resultOf(outcomes[i], question.endpoint),
    receipts: null,
    size: size / numbers.length,
  }));
}

async function withTransactionReceipts(blocks: RawBlock[], question: Question): Promise<RawBlock[] | null> {
  const hashes = blocks.map(transactionHashes);
  const calls = hashes
    .flat()
    .map((hash): RpcCall => ({ method: "eth_getTransactionReceipt", params: [hash] }));
  const { outcomes, size } = await question.endpoint.send(calls, question.signal);
  if (outcomes.some(isMissing)) return null;
  const receipts = outcomes.map((outcome) => resultOf(outcome, question.endpoint));
  return blocks.map((raw, i) => {
    const own = receipts.splice(0, hashes[i]?.length ?? 0);
    // A replica that lags may know the block and not yet its receipts.
    return { ...raw, receipts: own.includes(null) ? null : own, size: raw.size + size / blocks.length };
  });
}

async function withLogs(blocks: RawBlock[], range: BlockRange, question: Question): Promise<RawBlock[]> {
  const logs = (await logsOf(range, question)) as JsonObject[];
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

/** eth_getLogs over a range, in halves where the endpoint finds it too long or its answer too large. */
async function logsOf(range: BlockRange, question: Question): Promise<unknown[]> {
  const longest = question.limits.maxLogRange;
  if (range.to - range.from >= longest) return inParts(range, range.from + longest - 1, question);
  const filter = { fromBlock: hex(range.from), toBlock: hex(range.to) };
  const { outcomes } = await question.endpoint.send(
    [{ method: "eth_getLogs", params: [filter] }],
    question.signal,
  );
  const [outcome] = outcomes;
  if (
    outcome !== undefined &&
    "refusal" in outcome &&
    outcome.refusal.kind === "size" &&
    range.to > range.from
  ) {
    return inParts(range, (range.from + range.to) >> 1, question);
  }
  const logs = resultOf(outcome, question.endpoint);
  return Array.isArray(logs) ? logs : [];
}

async function inParts(range: BlockRange, middle: number, question: Question): Promise<unknown[]> {
  const first = await logsOf({ from: range.from, to: middle }, question);
  return [...first, ...(await logsOf({ from: middle + 1, to: range.to }, question))];
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
  if (outcome === undefined) throw new EndpointError(endpoint.name, "a call was left without an answer");
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

/** Nothing can be proven with such an endpoint. */
class NoReceipts extends BaseError {
  constructor(endpoint: string) {
    super(
      "unsupported",
      `${endpoint} offers neither eth_getBlockReceipts nor eth_getTransactionReceipt, without which no block can be ` +
        "proven: give another RPC URL, or switch verification off",
      // Another endpoint may offer them.
      { retryable: true },
    );
  }
}
