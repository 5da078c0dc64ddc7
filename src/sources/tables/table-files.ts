import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { BaseError } from "../../lib/error.ts";
import { systemCode } from "../../lib/system-error.ts";
import type { TableFormat } from "./formats/table-format.ts";
import { TableChain } from "./rows/table-chain.ts";
import { type FoundTable, findTable, isTableFile, placeOf, tableOfName } from "./rows/table-place.ts";

/**
 * Returns the Parquet, csv and JSON files at a path: the file itself, or those in the folder and its
 * subfolders.
 */
export async function tableFilesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return isTableFile(path) ? [path] : [];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && isTableFile(entry.name) && !isHidden(entry.parentPath, path))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (cause) {
    throw new UnreadablePlace(path, cause);
  }
}

/** cryo writes reports to `.cryo`, and ethereum-etl writes temporary files to `.tmp`. */
function isHidden(folder: string, root: string): boolean {
  return folder
    .slice(root.length)
    .split("/")
    .some((part) => part.startsWith("."));
}

/**
 * Groups the files of a format by kind, and finds their blocks.
 *
 * @throws NoTables, MixedFormats, MissingKind, OverlappingTables, InvalidFile
 */
export async function openTables(paths: readonly string[]): Promise<TableChain> {
  const found: FoundTable[] = [];
  const others: string[] = [];
  for (const path of paths) {
    const table = await tableAt(path, found);
    if (table === null) others.push(basename(path));
    else found.push(table);
  }
  if (found.length === 0) throw new NoTables(others);
  const format = commonFormat(found);
  return TableChain.of(
    found.map((table) => placeOf(table, format)),
    format,
  );
}

/** Files whose names give their kind and range get the format of the first such file. */
async function tableAt(path: string, before: readonly FoundTable[]): Promise<FoundTable | null> {
  const named = tableOfName(path);
  const like =
    named && before.find(({ kind, path: other }) => kind === named.kind && tableOfName(other) !== null);
  if (named === null || like == null) {
    const found = await findTable(path);
    return found === null || named === null ? found : { ...found, ...named, kind: found.kind };
  }
  return { ...like, ...named, path };
}

/** Two formats have the same columns in files of blocks and logs, but not in those of transactions. */
function commonFormat(found: readonly FoundTable[]): TableFormat {
  const [first, ...others] = found;
  const common = first?.formats.filter((format) => others.every(({ formats }) => formats.includes(format)));
  const [format] = common ?? [];
  if (format !== undefined) return format;
  throw new MixedFormats([...new Set(found.flatMap(({ formats }) => formats.map(({ origin }) => origin)))]);
}

class UnreadablePlace extends BaseError {
  constructor(path: string, cause: unknown) {
    super("bad-config", `--files: ${path} cannot be read (${systemCode(cause)})`, { cause });
  }
}

const SHOWN_NAMES = 3;

class NoTables extends BaseError {
  constructor(files: readonly string[]) {
    const names = files.slice(0, SHOWN_NAMES).join(", ");
    super(
      "bad-config",
      `--files: no file has rows of blocks, transactions, receipts or logs with the columns of cryo, ethereum-etl or ` +
        `the AWS dataset: ${names}${files.length > SHOWN_NAMES ? ", …" : ""}`,
    );
  }
}

class MixedFormats extends BaseError {
  constructor(origins: readonly string[]) {
    super(
      "bad-config",
      `--files: the files have several formats (${origins.join(", ")}). Pass files of one format at a time`,
    );
  }
}
