import { join, resolve } from "node:path";
import type { Chain } from "../chains/chain.ts";
import { BaseError } from "../lib/error.ts";
import { withStoredColumns } from "../schema/scope.ts";
import { TABLE_NAMES } from "../schema/tables.ts";
import { DATA_FORMAT } from "../storage/directory/data-directory.ts";
import { fileColumns } from "./file-format.ts";
import { exportedScope, MANIFEST_NAME, type Manifest, type ManifestDay, readManifest } from "./manifest.ts";

/** An export that can be imported. */
export interface Importable {
  /** The folder of the chain. */
  folder: string;
  manifest: Manifest;
}

/**
 * Reads the manifest of an export, and checks that the export can be imported. Creates and stores nothing.
 *
 * @throws NoExport, NotImportable, InvalidManifest, OtherManifestVersion
 */
export async function requireImportable(directory: string, chain: Chain): Promise<Importable> {
  // The path must be absolute, because the engine resolves relative paths against its own folder.
  const folder = resolve(directory, chain.name);
  if (ENGINE_PATTERN.test(folder)) throw new NotImportable(folder, PATTERN_PROBLEM);
  const manifest = await readManifest(folder);
  if (manifest === null) throw new NoExport(folder, chain);
  const problem = problemOf(manifest, chain);
  if (problem !== null) throw new NotImportable(folder, problem);
  return { folder, manifest };
}

/** Matches paths that the engine reads as a pattern of several files, or as a file in an archive. */
const ENGINE_PATTERN = /[*?{}[\]]|::/;
const PATTERN_PROBLEM =
  "its path has one of * ? { } [ ] or ::, which the engine reads as a pattern. Rename it";

/** The oldest format whose tables have the columns of `DATA_FORMAT`. */
const OLDEST_IMPORTED = 9;

function problemOf(manifest: Manifest, chain: Chain): string | null {
  if (manifest.chain !== chain.name || manifest.chain_id !== chain.chainId)
    return `it belongs to chain "${manifest.chain}" (chain id ${manifest.chain_id}), not to "${chain.name}" (chain id ${chain.chainId})`;
  if (manifest.data_format < OLDEST_IMPORTED || manifest.data_format > DATA_FORMAT)
    return `its rows have data format ${manifest.data_format}; this version of Quarry imports formats ${OLDEST_IMPORTED} to ${DATA_FORMAT}`;
  return problemOfTables(manifest) ?? problemOfDays(manifest);
}

function problemOfTables(manifest: Manifest): string | null {
  const { tables, days } = manifest;
  const scope = exportedScope(manifest);
  const missing = TABLE_NAMES.find((table) => tables[table] === undefined);
  if (missing !== undefined) return `it lacks the table ${missing}; an import needs an export of all tables`;
  const other = TABLE_NAMES.find(
    (table) => JSON.stringify(tables[table]) !== JSON.stringify(fileColumns(withStoredColumns(scope, table))),
  );
  if (other !== undefined) return `the columns of table ${other} differ from those of this version of Quarry`;
  const incomplete = days.find(({ files }) => TABLE_NAMES.some((table) => files[table] === undefined));
  return incomplete === undefined ? null : `its manifest lacks a file of ${incomplete.date}`;
}

function problemOfDays({ days, index_first_block: first }: Manifest): string | null {
  const [firstDay] = days;
  if (firstDay === undefined) return "it has no days";
  if (firstDay.first_block !== first)
    return (
      `it begins at block ${firstDay.first_block}, but its index begins at block ${first}: pools, tokens and balances of ` +
      "the blocks in between would be missing. Export without --from"
    );
  const gap = days.findIndex((day, i) => !follows(day, days[i - 1]));
  const [before, after] = [days[gap - 1], days[gap]];
  if (after === undefined) return null;
  return before === undefined
    ? `its first day ends before it starts`
    : `${after.date} (block ${after.first_block}) does not follow ${before.date} (block ${before.last_block})`;
}

function follows(day: ManifestDay, before: ManifestDay | undefined): boolean {
  if (day.last_block < day.first_block) return false;
  if (before === undefined) return true;
  return (
    day.date > before.date &&
    day.first_block === before.last_block + 1 &&
    day.parent_hash === before.last_hash
  );
}

class NoExport extends BaseError {
  constructor(folder: string, { name }: Chain) {
    super(
      "bad-config",
      `${join(folder, MANIFEST_NAME)} does not exist, so there is no export of chain "${name}" here. Give the folder of the export, ` +
        "and its chain with --chain.",
    );
  }
}

class NotImportable extends BaseError {
  constructor(folder: string, problem: string) {
    super("bad-config", `The export in ${folder} cannot be imported: ${problem}.`);
  }
}
