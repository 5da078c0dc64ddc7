import type { Hex } from "../../lib/hex.ts";

/**
 * A block as JSON-RPC gives it, its form checked: every text here is lower-case hex. What a field means is
 * not checked yet; that is what ../verify does. Quantities keep their text because proofs hash it.
 */
export interface RpcBlock {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  transactionsRoot: Hex | null;
  receiptsRoot: Hex | null;
  withdrawalsRoot: Hex | null;
  logsBloom: Hex | null;
  timestamp: Hex;
  miner: Hex;
  gasLimit: Hex;
  gasUsed: Hex;
  baseFeePerGas: Hex | null;
  size: Hex | null;
  extraData: Hex;
  transactions: RpcTransaction[];
  /** null: the endpoint left the body out. */
  withdrawals: RpcWithdrawal[] | null;
  /** All the block's fields that are hex texts, by name: header fields differ between forks and chains. */
  header: ReadonlyMap<string, Hex>;
}

export interface RpcWithdrawal {
  index: Hex;
  validatorIndex: Hex;
  address: Hex;
  amount: Hex;
}

export interface RpcAccess {
  address: Hex;
  storageKeys: Hex[];
}

export interface RpcAuthorization {
  chainId: Hex;
  address: Hex;
  nonce: Hex;
  yParity: Hex;
  r: Hex;
  s: Hex;
}

export interface RpcTransaction {
  hash: Hex;
  type: number;
  transactionIndex: number | null;
  from: Hex;
  to: Hex | null;
  nonce: Hex;
  value: Hex;
  gas: Hex;
  input: Hex;
  chainId: Hex | null;
  gasPrice: Hex | null;
  maxFeePerGas: Hex | null;
  maxPriorityFeePerGas: Hex | null;
  maxFeePerBlobGas: Hex | null;
  accessList: RpcAccess[];
  blobVersionedHashes: Hex[];
  authorizationList: RpcAuthorization[];
  v: Hex | null;
  yParity: Hex | null;
  r: Hex | null;
  s: Hex | null;
  /** Deposits of OP-stack chains only. */
  sourceHash: Hex | null;
  mint: Hex | null;
  isSystemTx: boolean;
}

export interface RpcLog {
  address: Hex;
  topics: Hex[];
  data: Hex;
  logIndex: number;
}

export interface RpcReceipt {
  transactionHash: Hex;
  blockHash: Hex;
  type: number | null;
  status: Hex | null;
  /** State root, which stands in the place of the status before Byzantium, whatever status a node makes up. */
  root: Hex | null;
  cumulativeGasUsed: Hex;
  gasUsed: Hex;
  effectiveGasPrice: Hex | null;
  contractAddress: Hex | null;
  logsBloom: Hex | null;
  logs: RpcLog[];
  blobGasUsed: Hex | null;
  blobGasPrice: Hex | null;
  l1Fee: Hex | null;
  /** OP-stack chains since Isthmus, where not both are zero. */
  operatorFeeScalar: Hex | null;
  operatorFeeConstant: Hex | null;
  /** OP-stack chains since Jovian. */
  daFootprintGasScalar: Hex | null;
  depositNonce: Hex | null;
  depositReceiptVersion: Hex | null;
}
