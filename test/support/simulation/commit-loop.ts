/**
 * Commits one batch after another until it is killed. Prints the block of each commit and each rollback.
 * Usage: commit-loop.ts DIRECTORY
 */
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openDataDirectory } from "../../../src/storage/directory/data-directory.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import { batchOf, blockNamed } from "../engine/random-rows.ts";

const { enginePath } = await openDataDirectory(process.argv[2] ?? "");
const engine = await openEmbeddedEngine({ path: enginePath });
const store = await openChainStore(engine, "eth");
let next = ((await store.committed())?.blockNumber ?? 99) + 1;
console.log(`open ${next - 1}`);
for (let round = 0; ; round++) {
  const batch = batchOf({ first: next, last: next + 3, rowsPerTable: 4 });
  next = (await store.commit(batch)).blockNumber + 1;
  console.log(`done ${next - 1}`);
  if (round % 2 === 1) next = (await store.rollback(blockNamed(next - 3))).blockNumber + 1;
}
