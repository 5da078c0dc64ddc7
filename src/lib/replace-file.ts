import { rename, rm, writeFile } from "node:fs/promises";

/**
 * Writes a file in one step: readers never see it half written, and after a power loss, it has either the old
 * or the new content.
 *
 * @param mode permissions of the file, to which the process's umask is applied
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
