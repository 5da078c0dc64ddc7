import { rename, rm, writeFile } from "node:fs/promises";

/**
 * Writes a file in one step: it is never read half written, and survives a loss of power with the old content
 * or the new one.
 *
 * @param mode of a new file; default: that of the process
 */
export async function replaceFile(path: string, text: string, mode = 0o666): Promise<void> {
  const draft = `${path}.part`;
  try {
    await writeFile(draft, text, { flush: true, mode });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}
