import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { BaseError } from "../../lib/error.ts";
import { systemCode } from "../../lib/system-error.ts";
import { EraFile } from "../e2store/era-file.ts";
import { isEraFile, parseEraName } from "./file-name.ts";
import type { FilePlace } from "./file-place.ts";

/**
 * Returns the files of blocks at a path: the file itself, or the files in the folder.
 *
 * @throws NoFiles
 */
export async function localFiles(path: string): Promise<FilePlace[]> {
  const paths = await pathsOf(path);
  if (paths.length === 0) throw new NoFiles(path, "the folder has no .era1, .ere or .erae file");
  const places: FilePlace[] = [];
  for (const file of paths) places.push(await localFile(file));
  return places;
}

/**
 * Returns the paths that have the extension of an era file: the given path, or the paths of the files in the
 * folder.
 */
export async function eraFilesAt(path: string): Promise<string[]> {
  return (await pathsOf(path)).filter(isEraFile);
}

async function pathsOf(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    return (await readdir(path)).filter(isEraFile).map((name) => join(path, name));
  } catch (cause) {
    throw new NoFiles(path, `it cannot be read (${systemCode(cause)})`);
  }
}

async function localFile(path: string): Promise<FilePlace> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return {
    name,
    firstBlock: parseEraName(name)?.firstBlock ?? (await firstBlockOf(path)),
    path: async () => path,
    release: async () => {},
  };
}

async function firstBlockOf(path: string): Promise<number> {
  const file = await EraFile.open(path);
  try {
    return file.firstBlock;
  } finally {
    await file.close();
  }
}

export class NoFiles extends BaseError {
  constructor(place: string, reason: string) {
    super("bad-config", `--files ${place}: ${reason}. Give a file, a folder or the URL of a folder`);
  }
}
