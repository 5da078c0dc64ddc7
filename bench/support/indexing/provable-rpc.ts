import { ethereum } from "../../../src/chains/ethereum.ts";
import { type Hex, toQuantity } from "../../../src/lib/hex.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import type { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";
import { emptyBlock, makeProvable, type ProvableBlock } from "./provable-block.ts";

/** Number of empty blocks above the others. Ponder counts the newest 65 blocks of mainnet as not final. */
const EMPTY_BLOCKS = 80;

/** Number of blocks below the head at which the node reports a block as final. */
const FINAL_DEPTH = 64;

export interface RpcCall {
  id: number;
  method: string;
  /** Absent in some of Ponder's calls. */
  params?: [string | ContractCall | LogFilter, unknown];
}

export interface LogFilter {
  fromBlock: Hex;
  toBlock: Hex;
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
}

interface ReadyLog {
  address: Hex;
  topics: Hex[];
  json: string;
}

/** JSON that is made in advance, because a real node would not have to make it. */
interface ReadyBlock {
  block: Buffer;
  receipts: Buffer;
  logs: ReadyLog[];
}

/** Makes the responses of a node with a number of provable blocks of the endless chain. */
export class ProvableRpc {
  readonly #chain: EndlessChain;
  readonly #blocks: ReadyBlock[] = [];
  readonly #head: number;

  constructor(chain: EndlessChain, blocks: number) {
    this.#chain = chain;
    this.#head = chain.first + blocks + EMPTY_BLOCKS - 1;
    let newest: ProvableBlock | null = null;
    for (let number = chain.first; number <= this.#head; number++) {
      const isFull = number < chain.first + blocks;
      const json = newest === null || isFull ? chain.json(number) : emptyBlock(newest, number);
      newest = makeProvable(json, number, newest?.hash ?? null);
      this.#blocks.push(ready(newest));
    }
  }

  /** Returns the response to the body of a request. */
  respond(body: string): Buffer {
    const calls = JSON.parse(body) as RpcCall | RpcCall[];
    if (!Array.isArray(calls)) return Buffer.concat(this.#answer(calls));
    const parts = calls.flatMap((call, i) => [Buffer.from(i === 0 ? "[" : ","), ...this.#answer(call)]);
    return Buffer.concat([...parts, Buffer.from("]")]);
  }

  #answer(call: RpcCall): Buffer[] {
    const value = this.#result(call);
    const reverted = call.method === "eth_call" && value === "null";
    const start = `{"jsonrpc":"2.0","id":${call.id},`;
    if (reverted) return [Buffer.from(`${start}"error":{"code":3,"message":"execution reverted"}}`)];
    return [Buffer.from(`${start}"result":`), Buffer.from(value), Buffer.from("}")];
  }

  #result({ method, params }: RpcCall): string | Buffer {
    const subject = params?.[0];
    if (method === "eth_chainId") return `"${toQuantity(ethereum.chainId)}"`;
    if (method === "eth_blockNumber") return `"${toQuantity(this.#head)}"`;
    if (method === "eth_getCode") return '"0x"';
    if (method === "eth_call") return JSON.stringify(this.#chain.call(subject as ContractCall));
    if (method === "eth_getLogs") return this.#logs(subject as LogFilter);
    const found = this.#blocks[this.#numberOf(String(subject)) - this.#chain.first];
    if (found === undefined) return "null";
    return method === "eth_getBlockReceipts" ? found.receipts : found.block;
  }

  #logs(filter: LogFilter): string {
    const [from, to] = [filter.fromBlock, filter.toBlock].map(
      (tag) => this.#numberOf(tag) - this.#chain.first,
    );
    const logs = this.#blocks.slice(Math.max(from ?? 0, 0), (to ?? 0) + 1).flatMap((block) => block.logs);
    return `[${logs.filter((log) => isWanted(log, filter)).map((log) => log.json)}]`;
  }

  #numberOf(tag: string): number {
    if (tag === "latest") return this.#head;
    return tag === "finalized" ? this.#head - FINAL_DEPTH : Number(tag);
  }
}

function ready({ block, receipts }: ProvableBlock): ReadyBlock {
  return {
    block: Buffer.from(JSON.stringify(block)),
    receipts: Buffer.from(JSON.stringify(receipts)),
    logs: receipts.flatMap(({ logs }) =>
      logs.map((log) => ({ address: log.address, topics: log.topics, json: JSON.stringify(log) })),
    ),
  };
}

function isWanted({ address, topics }: ReadyLog, filter: LogFilter): boolean {
  if (!matches(address, filter.address)) return false;
  return (filter.topics ?? []).every((wanted, i) => matches(topics[i], wanted));
}

function matches(value: Hex | undefined, wanted: Hex | Hex[] | null | undefined): boolean {
  if (wanted === null || wanted === undefined) return true;
  return value !== undefined && [wanted].flat().some((one) => one.toLowerCase() === value);
}
