import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { temporaryFolder } from "../processes/processes.ts";

/** Opens an embedded engine in a new folder. `close` removes the folder. */
export async function openFreshEngine(): Promise<{ engine: Engine; close(): Promise<void> }> {
  const folder = temporaryFolder();
  const engine = await openEmbeddedEngine({ path: folder.path });
  const close = async () => {
    await engine.close();
    folder.remove();
  };
  return { engine, close };
}
