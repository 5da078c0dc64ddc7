import { decodeTransaction } from "../../archive/archived-transaction.ts";
import { recoverSenders } from "../../archive/senders.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";
import { readBlock, type UnreadBlock } from "../block/read-block.ts";
import { FORMATS } from "../formats/recognize.ts";
import type { TableOrigin } from "../formats/table-format.ts";
import { type CheckedRows, checkedRows, proveRows, type RowsContext } from "./prove-rows.ts";
import { requireSenders } from "./table-proof.ts";

/** A block from files that a thread proves. */
export interface RowsTask extends Pick<UnreadBlock, "header" | "rows"> {
  context: Omit<RowsContext, "format"> & { origin: TableOrigin };
}

/** Proves a block. The errors do not name the file of its header. */
export function proveTask({ header, rows, context: { origin, ...context } }: RowsTask): CheckedRows {
  const format = FORMATS[origin];
  const invalid = (problem: string) => new InvalidFile("", `block ${header.number}`, problem);
  const table = readBlock({ header, rows, invalid }, format);
  const proven = proveRows(table, { ...context, format });
  requireSenders(table, recoverSenders(proven.signed.map(decodeTransaction)));
  return checkedRows(proven, format);
}
