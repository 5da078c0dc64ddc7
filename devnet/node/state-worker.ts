import { parentPort } from "node:worker_threads";
import { BaseError } from "../../src/lib/error.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { sentError } from "../../src/lib/sent-error.ts";
import { NodeClient } from "./node-client.ts";
import { type PackedState, packState } from "./packed-state.ts";

/** Runs in a thread: reads the state of the node with this URL, and packs it. */
parentPort?.once("message", async (url: string) => {
  parentPort?.postMessage(await packedStateOf(url));
});

async function packedStateOf(url: string): Promise<PackedState> {
  try {
    const dump = (await new NodeClient(url).call("anvil_dumpState")) as Hex;
    return { packed: await packState(dump) };
  } catch (cause) {
    return { error: sentError(cause instanceof BaseError ? cause : new StateUnreadable(cause)) };
  }
}

class StateUnreadable extends BaseError {
  constructor(cause: unknown) {
    super("internal", "The state of the demo chain's node cannot be read.", { cause });
  }
}
