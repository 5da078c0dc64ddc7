import type { Hex } from "../../lib/hex.ts";

/**
 * A block as JSON-RPC returns it. Its form has been checked: every text here is lower-case hex. The values
 * are not verified yet (../verify does that). Quantities remain text, because verification hashes them.
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
  /** Null if the endpoint omitted them. */
  withdrawals: RpcWithdrawal[] | null;
  /** All fields of the block that are hex text, by name. Header fields differ between forks and chains. */
  header: ReadonlyMap<string, Hex>;
}

/** A block from an endpoint, without receipts. Its hash has been verified against its header. */
export interface HeaderWithHashes {
  /** The block with an empty list of transactions. */
  block: RpcBlock;
  /** The hashes of the transactions, as sent by the endpoint. */
  hashes: Hex[];
  /** The transactions, verified against the header; null if only their hashes were requested. */
  transactions: RpcTransaction[] | null;
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
  /** Only deposits of OP-stack chains have these three fields. */
  sourceHash: Hex | null;
  mint: Hex | null;
  isSystemTx: boolean;
  /** Null in all transactions except Arbitrum's own. */
  arbitrum: RpcArbitrumFields | null;
}

/** Fields of Arbitrum's own transactions. Which of them a transaction has depends on its type. */
export interface RpcArbitrumFields {
  requestId: Hex | null;
  ticketId: Hex | null;
  refundTo: Hex | null;
  maxRefund: Hex | null;
  submissionFeeRefund: Hex | null;
  l1BaseFee: Hex | null;
  depositValue: Hex | null;
  retryTo: Hex | null;
  retryValue: Hex | null;
  retryData: Hex | null;
  beneficiary: Hex | null;
  maxSubmissionFee: Hex | null;
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
  /** State root. Receipts before Byzantium have it in place of a status, even if a node invents a status. */
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
  /** Present on OP-stack chains since Isthmus, unless both values are zero. */
  operatorFeeScalar: Hex | null;
  operatorFeeConstant: Hex | null;
  /** Present on OP-stack chains since Jovian. */
  daFootprintGasScalar: Hex | null;
  depositNonce: Hex | null;
  depositReceiptVersion: Hex | null;
}
