import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** A file of a part. */
export interface PartFile {
  /** Path within the part, e.g. `price_usd.bin`, `by_wallet.proj/data.bin`. */
  path: string;
  bytes: number;
}

/** The files of one part of a table, which the engine never changes. */
export interface PartFiles {
  folder: string;
  files: PartFile[];
  bytes: number;
  /**
   * Identifies the content: equal parts of different tables, or under different names, have the same id. It
   * is computed without reading the part's data.
   */
  id: string;
}

/** Lists the files of a part, and computes the part's id. */
export async function partFiles(folder: string): Promise<PartFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  const files: PartFile[] = [];
  const hash = createHash("sha256");
  for (const path of paths) {
    const { size: bytes } = await stat(join(folder, path));
    files.push({ path, bytes });
    hash.update(`${path}\0${bytes}\0`);
    if (isDescription(path)) hash.update(await readFile(join(folder, path)));
  }
  return { folder, files, bytes: files.reduce((sum, file) => sum + file.bytes, 0), id: hash.digest("hex") };
}

/**
 * Returns true for the few small text files of a part. One of them, `checksums.txt`, has the engine's 128-bit
 * hash of each data file, so together they identify the content.
 */
function isDescription(path: string): boolean {
  return path.endsWith(".txt") || path.endsWith(".json");
}
