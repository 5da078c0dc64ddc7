import { CRYO } from "./cryo.ts";
import { AWS, ETHEREUM_ETL } from "./ethereum-etl.ts";
import type { TableFormat, TableKind, TableOrigin } from "./table-format.ts";

const KINDS: readonly TableKind[] = ["blocks", "transactions", "receipts", "logs"];

/** All formats. */
export const FORMATS: Readonly<Record<TableOrigin, TableFormat>> = {
  cryo: CRYO,
  aws: AWS,
  "ethereum-etl": ETHEREUM_ETL,
};

/** Returns the formats that have files of a kind. */
export function formatsWith(kind: TableKind): TableFormat[] {
  return Object.values(FORMATS).filter(({ marks }) => marks[kind] !== undefined);
}

/** The kind and the possible formats of a file, according to its columns. */
export interface Recognized {
  kind: TableKind;
  /**
   * The formats that have files with these columns. Some files of ethereum-etl and AWS have the same columns.
   */
  formats: readonly TableFormat[];
}

/**
 * Returns the kind and the formats of a file with these columns; null if Quarry does not read files with
 * them.
 */
export function recognize(columns: readonly string[]): Recognized | null {
  const existing = new Set(columns);
  for (const kind of KINDS) {
    const marked = formatsWith(kind).filter(({ marks }) =>
      marks[kind]?.every((column) => existing.has(column)),
    );
    if (marked.length === 0) continue;
    const most = Math.max(...marked.map(({ marks }) => marks[kind]?.length ?? 0));
    return { kind, formats: marked.filter(({ marks }) => marks[kind]?.length === most) };
  }
  return null;
}
