import type { Hex } from "../../../src/lib/hex.ts";
import type { Block, Log, Transaction } from "../../../src/schema/block.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import { readBundleJson, readGzLines } from "./bundles.ts";

type Rpc = Record<string, string>;
type RpcReceipt = Rpc & { logs: (Rpc & { topics: Hex[] })[] };
type RpcBlock = Rpc & { transactions: Rpc[] };

/** Returns the blocks of a bundle, converted without the code in src/sources. */
export function recordedBlocks(bundle: string, proof: Block["proof"] = "block"): Block[] {
  const receipts = readGzLines(bundle, "receipts.ndjson.gz").map((line) => JSON.parse(line) as RpcReceipt[]);
  return readGzLines(bundle, "blocks.ndjson.gz").map((line, i) =>
    toBlock(JSON.parse(line) as RpcBlock, receipts[i] ?? [], proof),
  );
}

/** Returns every log of a bundle, in order. */
export function recordedLogs(bundle: string): Log[] {
  return recordedBlocks(bundle).flatMap(({ transactions }) => transactions.flatMap(({ logs }) => logs));
}

function toBlock(rpc: RpcBlock, receipts: RpcReceipt[], proof: Block["proof"]): Block {
  return {
    number: Number(rpc.number),
    hash: rpc.hash as Hex,
    parentHash: rpc.parentHash as Hex,
    timestamp: Number(rpc.timestamp),
    miner: rpc.miner as Hex,
    gasLimit: BigInt(rpc.gasLimit ?? 0),
    gasUsed: Number(rpc.gasUsed),
    baseFeePerGas: optionalAmount(rpc.baseFeePerGas),
    size: Number(rpc.size ?? 0),
    extraData: rpc.extraData as Hex,
    proof,
    origin: "rpc",
    transactions: rpc.transactions.map((transaction, i) => toTransaction(transaction, receipts[i])),
  };
}

function toTransaction(rpc: Rpc, receipt: RpcReceipt | undefined): Transaction {
  if (receipt === undefined || receipt.transactionHash !== rpc.hash)
    throw new Error(`no receipt for ${rpc.hash}`);
  const gasUsed = BigInt(receipt.gasUsed ?? 0);
  const gasPrice = BigInt(receipt.effectiveGasPrice ?? rpc.gasPrice ?? 0);
  return {
    hash: rpc.hash as Hex,
    transactionIndex: Number(rpc.transactionIndex),
    from: rpc.from as Hex,
    to: (rpc.to ?? null) as Hex | null,
    contractAddress: (receipt.contractAddress ?? null) as Hex | null,
    value: BigInt(rpc.value ?? 0),
    nonce: Number(rpc.nonce),
    input: rpc.input as Hex,
    type: Number(rpc.type ?? 0),
    gasLimit: BigInt(rpc.gas ?? 0),
    gasUsed: Number(gasUsed),
    gasPrice,
    maxFeePerGas: optionalAmount(rpc.maxFeePerGas),
    maxPriorityFeePerGas: optionalAmount(rpc.maxPriorityFeePerGas),
    fee: gasUsed * gasPrice,
    status: Number(receipt.status) === 1 ? 1 : 0,
    logs: receipt.logs.map(toLog),
  };
}

function toLog(rpc: Rpc & { topics: Hex[] }): Log {
  return {
    address: rpc.address as Hex,
    topics: rpc.topics,
    data: rpc.data as Hex,
    logIndex: Number(rpc.logIndex),
  };
}

function optionalAmount(value: string | undefined): bigint | null {
  return value === undefined ? null : BigInt(value);
}

/** Returns recorded call results, and null for each call that the bundle does not contain. */
export function recordedCalls(bundle: string): (calls: ContractCall[]) => Promise<(Hex | null)[]> {
  const answers = readBundleJson<Record<string, Record<string, Hex>>>(bundle, "calls.json");
  return async (calls) => calls.map(({ to, data }) => answers[to]?.[data] ?? null);
}
