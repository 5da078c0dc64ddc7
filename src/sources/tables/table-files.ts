import { readdir, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { BaseError } from "../../lib/error.ts";
import { systemCode } from "../../lib/system-error.ts";
import type { TableFormat } from "../rows/formats/table-format.ts";
import { someOf, TableChain } from "./chain/table-chain.ts";
import { type FoundTable, findTable, isTableFile, placeOf, tableOfName } from "./chain/table-place.ts";

/**
 * Returns the Parquet, csv and JSON files at a path: the file itself, or the files in the folder and its
 * subfolders.
 */
export async function tableFilesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return isTableFile(path) ? [path] : [];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter(({ name, parentPath }) => isTableFile(name) && !isHidden(join(parentPath, name), path))
      .map((entry) => ({ entry, at: join(entry.parentPath, entry.name) }));
    const isFile = await Promise.all(
      paths.map(async ({ entry, at }) =>
        entry.isSymbolicLink() ? (await stat(at)).isFile() : entry.isFile(),
      ),
    );
    return paths.flatMap(({ at }, i) => (isFile[i] === true ? [at] : [])).sort();
  } catch (cause) {
    throw new UnreadablePlace(path, cause);
  }
}

/**
 * Returns true if a name in the path begins with a dot. cryo writes reports into `.cryo`, ethereum-etl writes
 * temporary files into `.tmp`, and macOS creates files whose names begin with `._`.
 */
function isHidden(path: string, root: string): boolean {
  return relative(root, path)
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
  const withRows = found.flatMap(({ range, ...table }) => (range === null ? [] : [{ ...table, range }]));
  if (withRows.length === 0) throw new NoTables([...found.map(({ path }) => basename(path)), ...others]);
  const format = commonFormat(found);
  return TableChain.of(
    withRows.map((table) => placeOf(table, format)),
    format,
    { empty: new Set(found.map(({ kind }) => kind)), unknown: others },
  );
}

/**
 * Returns what a file contains. If the name of the file gives its kind and range, and so did the name of an
 * earlier file of the same kind, the file is not opened and gets the format of the earlier file.
 */
async function tableAt(path: string, before: readonly FoundTable[]): Promise<FoundTable | null> {
  const named = tableOfName(path);
  const like =
    named && before.find(({ kind, path: other }) => kind === named.kind && tableOfName(other) !== null);
  if (named === null || like == null) {
    const found = await findTable(path);
    if (found === null || found.range === null || named === null) return found;
    return { ...found, range: named.range };
  }
  return { ...like, ...named, path };
}

/**
 * Returns the format that all files have in common. Two formats have the same columns in files of blocks and
 * logs, but not in files of transactions.
 */
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

class NoTables extends BaseError {
  constructor(files: readonly string[]) {
    super(
      "bad-config",
      `--files: no file has rows of blocks, transactions, receipts or logs with the columns of cryo, ethereum-etl or ` +
        `the AWS dataset: ${someOf(files)}`,
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
