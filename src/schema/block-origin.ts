/**
 * How much of a block was proven when it was stored, from all to nothing.
 *
 * - `block`: header, transactions, receipts and logs, by the block's hash.
 * - `receipts`: header, receipts and logs, by the block's hash. The transactions' own fields (sender,
 *   receiver, value, input, fees) are as in a file.
 * - `file`: receipts and logs match the receipts root in a file, but nothing confirms its header.
 * - `none`: nothing.
 */
export const BLOCK_PROOFS = ["block", "receipts", "file", "none"] as const;

export type BlockProof = (typeof BLOCK_PROOFS)[number];

/** Where a block came from: RPC endpoints, or files of a format. */
export const BLOCK_ORIGINS = ["rpc", "era", "cryo", "ethereum-etl", "aws"] as const;

export type BlockOrigin = (typeof BLOCK_ORIGINS)[number];
