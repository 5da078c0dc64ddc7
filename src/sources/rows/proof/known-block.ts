import { BaseError } from "../../../lib/error.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { HeaderWithHashes, RpcBlock } from "../../wire/rpc-block.ts";
import { invalidRows, type TableBlock } from "../block/table-block.ts";

/**
 * Compares a block of the files with the node's: its hash, all header fields in the file, and the hashes of
 * its transactions.
 *
 * @throws InvalidFile
 */
export function requireSame(table: TableBlock, { block, hashes }: HeaderWithHashes, isCryo: boolean): void {
  const { header, transactions, invalid } = table;
  if (header.hash !== block.hash) {
    throw invalid(`the block has the hash ${header.hash}, but the endpoint has ${block.hash}`);
  }
  for (const [name, value] of header.fields) {
    const known = block.header.get(name);
    if (known === undefined || isSame(value, known) || (isCryo && CHANGED_BY_CRYO.has(name))) continue;
    throw invalid(`${name} is ${shortened(value)}, but the endpoint has ${shortened(known)}`);
  }
  if (hashes.length !== transactions.length) {
    const problem = `the number of transactions is ${transactions.length}, but the endpoint has ${hashes.length}`;
    throw invalidRows(table, ["transactions"], problem);
  }
  for (const [i, transaction] of transactions.entries()) {
    if (transaction.hash !== hashes[i]) {
      throw transaction.invalid(`the hash is ${transaction.hash}, but the endpoint has ${hashes[i]}`);
    }
  }
}

/**
 * Header fields that cryo changes: it writes other values for the uncles of a block, and truncates the
 * difficulty to 64 bits.
 */
const CHANGED_BY_CRYO: ReadonlySet<string> = new Set(["sha3Uncles", "difficulty"]);

/** Returns whether two values are equal. Nodes may omit leading zeros. */
function isSame(one: Hex, other: Hex): boolean {
  return one === other || (one.length > 2 && other.length > 2 && BigInt(one) === BigInt(other));
}

const SHOWN_DIGITS = 66;

function shortened(hex: Hex): string {
  return hex.length <= SHOWN_DIGITS ? hex : `${hex.slice(0, SHOWN_DIGITS)}…`;
}

/** Header fields that Quarry stores. */
const STORED = ["parentHash", "timestamp", "miner", "gasLimit", "gasUsed", "extraData"] as const;

/**
 * Returns the header from the file, which nothing has confirmed.
 *
 * @throws MissingFields if the file lacks a field that Quarry stores
 */
export function headerOfFile({ header }: Pick<TableBlock, "header">): RpcBlock {
  const { fields, hash, size } = header;
  const withData = fields.has("extraData") ? fields : new Map([...fields, ["extraData", "0x"] as const]);
  const missing = STORED.filter((name) => !withData.has(name));
  if (missing.length > 0) throw new MissingFields(header.number, missing);
  const always = (name: string): Hex => withData.get(name) ?? "0x";
  return {
    number: always("number"),
    hash,
    parentHash: always("parentHash"),
    transactionsRoot: fields.get("transactionsRoot") ?? null,
    receiptsRoot: fields.get("receiptsRoot") ?? null,
    withdrawalsRoot: fields.get("withdrawalsRoot") ?? null,
    logsBloom: fields.get("logsBloom") ?? null,
    timestamp: always("timestamp"),
    miner: always("miner"),
    gasLimit: always("gasLimit"),
    gasUsed: always("gasUsed"),
    baseFeePerGas: fields.get("baseFeePerGas") ?? null,
    size,
    extraData: always("extraData"),
    transactions: [],
    withdrawals: null,
    header: withData,
  };
}

class MissingFields extends BaseError {
  constructor(block: number, fields: readonly string[]) {
    super(
      "bad-config",
      `block ${block}: the files lack the header fields ${fields.join(", ")}. Pass a node with --rpc, which has ` +
        "them, or export with `--columns all` (cryo)",
    );
  }
}
