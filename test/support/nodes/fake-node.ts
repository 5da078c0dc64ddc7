import type { Hex } from "../../../src/lib/hex.ts";
import type { Block, Log, Transaction } from "../../../src/schema/block.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import type { Node } from "../processes/processes.ts";
import { contractAnswer } from "../simulation/fake-chain.ts";
import type { MovingChain } from "../simulation/moving-chain.ts";
import { type JsonRpcRequest, startJsonRpcServer } from "./json-rpc-server.ts";

type NodeChain = Pick<MovingChain, "blocks" | "head" | "final" | "at">;

/** Serves a fake chain as a JSON-RPC node. Its hashes are made up, so its blocks cannot be verified. */
export async function startFakeNode(chain: NodeChain, chainId: number): Promise<Node> {
  const answer = ({ id, method, params }: JsonRpcRequest) => {
    const result = resultOf(chain, chainId, { method, params });
    const refusal = lacksBlock(chain, params[1])
      ? { code: -32000, message: "header not found" }
      : { code: 3, message: "execution reverted" };
    return { jsonrpc: "2.0", id, ...(result === undefined ? { error: refusal } : { result }) };
  };
  return startJsonRpcServer(answer);
}

/** Returns the result of a request, or undefined if the call reverts. */
function resultOf(
  chain: NodeChain,
  chainId: number,
  { method, params }: Omit<JsonRpcRequest, "id">,
): unknown {
  const [first, second] = params;
  switch (method) {
    case "eth_chainId":
      return quantity(chainId);
    case "eth_getBlockByNumber":
      return blockJson(blockAt(chain, String(first)), second === true);
    case "eth_getBlockReceipts":
      return receiptsJson(blockAt(chain, String(first)));
    case "eth_call":
      return lacksBlock(chain, second) ? undefined : (contractAnswer(first as ContractCall) ?? undefined);
    case "eth_getCode":
      return "0x";
    default:
      return undefined;
  }
}

/** Returns true if a call names a block by a hash that no block of the chain has. */
function lacksBlock(chain: NodeChain, block: unknown): boolean {
  if (typeof block !== "object" || block === null) return false;
  return blockAt(chain, (block as { blockHash: string }).blockHash) === undefined;
}

function blockAt(chain: NodeChain, tag: string): Block | undefined {
  if (tag.length === 66) return chain.blocks.find(({ block }) => block.hash === tag)?.block;
  const named = { latest: chain.head.number, finalized: chain.final }[tag];
  return chain.at(named ?? Number(tag))?.block;
}

function blockJson(block: Block | undefined, isFull: boolean): object | null {
  if (block === undefined) return null;
  return {
    number: quantity(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: quantity(block.timestamp),
    miner: block.miner,
    gasLimit: quantity(block.gasLimit),
    gasUsed: quantity(block.gasUsed),
    baseFeePerGas: optional(block.baseFeePerGas),
    size: quantity(block.size),
    extraData: block.extraData,
    transactions: block.transactions.map((transaction) =>
      isFull ? transactionJson(transaction) : transaction.hash,
    ),
  };
}

function transactionJson(transaction: Transaction): object {
  return {
    hash: transaction.hash,
    type: quantity(transaction.type),
    transactionIndex: quantity(transaction.transactionIndex),
    from: transaction.from,
    to: transaction.to,
    nonce: quantity(transaction.nonce),
    value: quantity(transaction.value),
    gas: quantity(transaction.gasLimit),
    input: transaction.input,
    gasPrice: quantity(transaction.gasPrice),
    maxFeePerGas: optional(transaction.maxFeePerGas),
    maxPriorityFeePerGas: optional(transaction.maxPriorityFeePerGas),
  };
}

function receiptsJson(block: Block | undefined): object[] | null {
  return block?.transactions.map((transaction) => receiptJson(block, transaction)) ?? null;
}

function receiptJson(block: Block, transaction: Transaction): object {
  return {
    blockHash: block.hash,
    blockNumber: quantity(block.number),
    transactionHash: transaction.hash,
    transactionIndex: quantity(transaction.transactionIndex),
    type: quantity(transaction.type),
    contractAddress: transaction.contractAddress,
    gasUsed: quantity(transaction.gasUsed),
    cumulativeGasUsed: quantity(transaction.gasUsed * (transaction.transactionIndex + 1)),
    effectiveGasPrice: quantity(transaction.gasPrice),
    status: quantity(transaction.status ?? 0),
    logsBloom: `0x${"00".repeat(256)}`,
    logs: transaction.logs.map(logJson),
  };
}

function logJson({ address, topics, data, logIndex }: Log): object {
  return { address, topics, data, logIndex: quantity(logIndex) };
}

function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

function optional(value: bigint | null): Hex | null {
  return value === null ? null : quantity(value);
}
