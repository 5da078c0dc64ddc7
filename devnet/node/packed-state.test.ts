import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fromBytes } from "../../src/lib/hex.ts";
import { startJsonRpcServer } from "../../test/support/nodes/json-rpc-server.ts";
import { withoutFileHandles } from "../../test/support/processes/file-handles.ts";
import { withFileHandle } from "./file-handle.ts";
import { readPackedState } from "./packed-state.ts";

/** Runs the work with the URL of a node that responds to every call in the same way. */
async function withNode<T>(answer: object, work: (url: string) => Promise<T>): Promise<T> {
  const node = await startJsonRpcServer(({ id }) => ({ id, ...answer }));
  try {
    return await work(node.url);
  } finally {
    await node.stop();
  }
}

describe("the state of a node", () => {
  it("is packed without its traces", async () => {
    const dump = fromBytes(gzipSync('{"a":[{"traces":[{"x":[1]}],"exit":"Stop"}]}'));
    const packed = await withNode({ result: dump }, readPackedState);
    expect(gunzipSync(packed).toString()).toBe('{"a":[{"traces":[],"exit":"Stop"}]}');
  });

  it.each([
    [{ error: { message: "out of memory" } }, "The demo chain failed at anvil_dumpState: out of memory."],
    [{ result: "0x00" }, "The state of the demo chain's node cannot be read."],
  ])("fails with the reason if the node responds with %j", async (answer, message) => {
    await expect(withNode(answer, readPackedState)).rejects.toMatchObject({ code: "internal", message });
  });

  it("is read once the process has a file handle", async () => {
    const dump = fromBytes(gzipSync('{"exit":"Stop"}'));
    const packed = await withNode({ result: dump }, async (url) => {
      const read = () => readPackedState(url);
      // The first start from TypeScript sources opens additional files, so it happens before the test.
      await read();
      let reading: Promise<Uint8Array> | undefined;
      await withoutFileHandles(async () => {
        await expect(read()).rejects.toMatchObject({ code: "EMFILE" });
        reading = withFileHandle(read);
        await sleep(200);
      });
      return reading;
    });
    expect(gunzipSync(packed ?? "").toString()).toBe('{"exit":"Stop"}');
  });
});
