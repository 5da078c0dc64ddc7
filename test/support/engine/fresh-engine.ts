import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { temporaryFolder } from "../processes/processes.ts";

/** An embedded engine in its own folder, which is removed with it. */
export async function openFreshEngine(): Promise<{ engine: Engine; close(): Promise<void> }> {
  const folder = temporaryFolder();
  const engine = await openEmbeddedEngine({ path: folder.path });
  const close = async () => {
    await engine.close();
    folder.remove();
  };
  return { engine, close };
}
