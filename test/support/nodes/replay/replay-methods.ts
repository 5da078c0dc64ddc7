import type { Hex } from "../../../../src/lib/hex.ts";
import type { FaultInjector } from "./faults.ts";
import { MULTICALL3, recordedCall } from "./recorded-calls.ts";
import type { RecordedCalls, RecordedChain, RecordedEntry, RecordedLog } from "./recorded-chain.ts";

export class RpcError extends Error {
  readonly code: number;
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface ReplayState {
  chain: RecordedChain;
  /** The results of contract calls. */
  calls: RecordedCalls;
  chainId: number;
  faults: FaultInjector;
  /** Maximum number of blocks that eth_getLogs accepts. */
  maxRange: number;
  hasBlockReceipts: boolean;
  /** The newest block of the node. */
  head: number;
}

interface LogFilter {
  fromBlock?: string;
  toBlock?: string;
  blockHash?: Hex;
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
}

interface CallRequest {
  to: Hex;
  data?: Hex;
  input?: Hex;
}

const SAFE_DEPTH = 32;
const FINAL_DEPTH = 64;

type Method = (state: ReplayState, ...params: never[]) => unknown;

const METHODS: Record<string, Method> = {
  eth_chainId: ({ chainId }) => quantity(chainId),
  net_version: ({ chainId }) => String(chainId),
  web3_clientVersion: () => "replay-rpc/1.0",
  eth_syncing: () => false,
  eth_blockNumber: ({ head }) => quantity(head),
  eth_gasPrice: () => "0x3b9aca00",
  eth_getBlockByNumber: (state, tag: string, isFull: boolean) =>
    blockOf(state, entryAt(state, numberOf(state, tag)), isFull),
  eth_getBlockByHash: (state, hash: Hex, isFull: boolean) =>
    blockOf(state, entryAt(state, state.chain.numberOf(hash)), isFull),
  eth_getBlockReceipts: (state, tag: string) => {
    if (!state.hasBlockReceipts) throw unknownMethod("eth_getBlockReceipts");
    const entry = entryAt(state, state.chain.numberOf(tag) ?? numberOf(state, tag));
    return entry === undefined || state.faults.draw("null") ? null : state.faults.receipts(entry.receipts);
  },
  eth_getTransactionReceipt: (state, hash: Hex) => {
    const { number, index = 0 } = state.chain.transaction(hash) ?? {};
    const entry = entryAt(state, number);
    return entry === undefined || state.faults.draw("null") ? null : entry.receipts[index];
  },
  eth_getTransactionByHash: (state, hash: Hex) => {
    const { number, index = 0 } = state.chain.transaction(hash) ?? {};
    return entryAt(state, number)?.block.transactions[index] ?? null;
  },
  eth_getLogs: (state, filter: LogFilter) => state.faults.logs(logsOf(state, filter)),
  eth_getCode: ({ chain }, address: Hex) =>
    chain.calls[address.toLowerCase()] !== undefined || address.toLowerCase() === MULTICALL3 ? "0x01" : "0x",
  eth_call: (
    { calls, chain },
    { to, data, input = "0x" }: CallRequest,
    block?: string | { blockHash: Hex },
  ) => {
    if (typeof block === "object" && chain.numberOf(block.blockHash) === undefined)
      throw new RpcError(-32000, "header not found");
    const result = recordedCall(calls, lower(to), lower(data ?? input));
    if (result === undefined) throw new RpcError(3, "execution reverted", "0x");
    return result;
  },
};

/** Returns a method's result. Throws an `RpcError` if a node would respond with an error. */
export function replayResult(state: ReplayState, method: string, params: unknown[]): unknown {
  const run = METHODS[method];
  if (run === undefined) throw unknownMethod(method);
  return run(state, ...(params as never[]));
}

function unknownMethod(method: string): RpcError {
  return new RpcError(-32601, `the method ${method} does not exist/is not available`);
}

function numberOf({ chain, head }: ReplayState, tag: string | undefined): number {
  switch (tag) {
    case undefined:
    case "latest":
    case "pending":
      return head;
    case "earliest":
      return chain.first;
    case "safe":
      return Math.max(chain.first, head - SAFE_DEPTH);
    case "finalized":
      return Math.max(chain.first, head - FINAL_DEPTH);
    default:
      return Number(tag);
  }
}

function entryAt({ chain, head }: ReplayState, number: number | undefined): RecordedEntry | undefined {
  return number === undefined || number > head ? undefined : chain.at(number);
}

function blockOf({ faults }: ReplayState, entry: RecordedEntry | undefined, isFull: boolean): unknown {
  if (entry === undefined || faults.draw("null")) return null;
  const { block } = entry;
  return isFull ? block : { ...block, transactions: block.transactions.map(({ hash }) => hash) };
}

function logsOf(state: ReplayState, { address, topics = [], ...range }: LogFilter): RecordedLog[] {
  const [from, to] = blockRange(state, range);
  const addresses = address === undefined ? null : [address].flat().map(lower);
  const wanted = topics.map((topic) => (topic === null ? [] : [topic].flat().map(lower)));
  const isWanted = (log: RecordedLog) =>
    (addresses === null || addresses.includes(log.address)) &&
    wanted.every((any, i) => any.length === 0 || any.some((topic) => topic === log.topics[i]));
  return state.chain.numbers
    .filter((number) => number >= from && number <= to)
    .flatMap((number) => state.chain.at(number)?.receipts.flatMap(({ logs }) => logs.filter(isWanted)) ?? []);
}

function blockRange(state: ReplayState, { fromBlock, toBlock, blockHash }: LogFilter): [number, number] {
  const only = blockHash === undefined ? undefined : state.chain.numberOf(blockHash);
  const from = only ?? numberOf(state, fromBlock);
  const to = only ?? Math.min(numberOf(state, toBlock), state.head);
  if (to - from + 1 > state.maxRange)
    throw new RpcError(-32005, `query exceeds max block range ${state.maxRange}`);
  return [from, to];
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex;
}

function quantity(value: number): Hex {
  return `0x${value.toString(16)}`;
}
