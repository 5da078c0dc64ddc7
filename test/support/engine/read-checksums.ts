import type { Sql } from "../../../src/engine-sql/sql-text.ts";
import { openDataDirectory } from "../../../src/storage/directory/data-directory.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";

export type Checksums = Record<string, { rows: number; hash: string }>;

/** Runs one query per table on the engine of a data directory. */
export async function readChecksums(
  data: string,
  queries: readonly { name: string; query: Sql }[],
): Promise<Checksums> {
  const directory = await openDataDirectory(data);
  try {
    const engine = await openEmbeddedEngine({ path: directory.enginePath });
    try {
      const answers: Record<string, unknown> = {};
      for (const { name, query } of queries) answers[name] = (await engine.query(query))[0];
      return answers as Checksums;
    } finally {
      await engine.close();
    }
  } finally {
    await directory.release();
  }
}
