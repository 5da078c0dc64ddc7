import type { Hex } from "../lib/hex.ts";

/** An event log as it appears in its block's receipts. Hex is in lower case. */
export interface Log {
  address: Hex;
  topics: Hex[];
  data: Hex;
  /** Position among all logs of the block, from 0. */
  logIndex: number;
}

/** A transaction with the outcome of its execution. Amounts are in wei. */
export interface Transaction {
  hash: Hex;
  transactionIndex: number;
  from: Hex;
  /** Null if the transaction creates a contract. */
  to: Hex | null;
  contractAddress: Hex | null;
  value: bigint;
  nonce: number;
  input: Hex;
  type: number;
  /**
   * Any 64-bit number. The transactions that validators of Parlia chains (BNB Smart Chain) add to their
   * blocks have a gas limit of 2^63 - 1.
   */
  gasLimit: bigint;
  gasUsed: number;
  /** Effective gas price. */
  gasPrice: bigint;
  maxFeePerGas: bigint | null;
  maxPriorityFeePerGas: bigint | null;
  /**
   * Everything the sender paid: execution, blob gas and, on rollups, the fees for L1 data and for the
   * operator.
   */
  fee: bigint;
  /** 1 success, 0 failed; null before Byzantium, when receipts had a state root instead. */
  status: 0 | 1 | null;
  /** In log order. Empty if the transaction failed. */
  logs: Log[];
}

/** A complete block: header, transactions and logs. `proof` says how much of it was proven. */
export interface Block {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Unix seconds. */
  timestamp: number;
  miner: Hex;
  /** Any 64-bit number. */
  gasLimit: bigint;
  gasUsed: number;
  /** Wei; null before London. */
  baseFeePerGas: bigint | null;
  /** Size in bytes; 0 if the endpoint does not report it. */
  size: number;
  extraData: Hex;
  transactions: Transaction[];
  proof: BlockProof;
  origin: BlockOrigin;
}

/** Number and hash, which identify a block. */
export interface BlockRef {
  number: number;
  hash: Hex;
}

/**
 * Returns whether an index that begins with this block has every transaction of its chain. Block 0 has no
 * transactions.
 */
export function isWholeFrom(firstBlock: number): boolean {
  return firstBlock <= 1;
}

/**
 * How much of a block was proven when it was stored, from most to least.
 *
 * - `block`: header, transactions, receipts and logs, by the block's hash.
 * - `receipts`: header, receipts and logs, by the block's hash. The other fields of transactions (sender,
 *   receiver, value, input, fees) are unproven values from a file.
 * - `file`: receipts and logs match the receipts root in a file, but nothing confirms its header.
 * - `unrecorded`: not known, because data format 7 did not record it.
 * - `none`: nothing.
 */
export const BLOCK_PROOFS = ["block", "receipts", "file", "unrecorded", "none"] as const;

export type BlockProof = (typeof BLOCK_PROOFS)[number];

/** Short descriptions for users. */
export const PROOF_MEANINGS: Record<BlockProof, string> = {
  block: "proven",
  receipts: "receipts and logs are proven, but transactions are not",
  file: "receipts and logs match the receipts roots in the files, but nothing confirms these roots",
  unrecorded: "stored by a version of Quarry that did not record the proof",
  none: "not proven",
};

/** Where a block came from: an RPC endpoint, or the format of its file. Data format 7 did not record it. */
export const BLOCK_ORIGINS = ["rpc", "era", "cryo", "ethereum-etl", "aws", "unrecorded"] as const;

export type BlockOrigin = (typeof BLOCK_ORIGINS)[number];

/**
 * Adds the origin of blocks to their name, e.g. `block 7 from rpc`. Omits an origin that was not recorded.
 */
export function withOrigin(blocks: string, origin: BlockOrigin): string {
  return origin === "unrecorded" ? blocks : `${blocks} from ${origin}`;
}
