import { BaseError } from "../../src/lib/error.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { sentError } from "../../src/lib/sent-error.ts";
import { NodeClient } from "./node-client.ts";
import { type PackedState, packState, StateUnreadable } from "./packed-state.ts";

// Ctrl-C in a terminal also reaches this process, but its parent decides when it ends.
process.on("SIGINT", () => {});

/** Reads the state of the node with this URL, and packs it. */
process.once("message", async (url: string) => {
  const state = await packedStateOf(url);
  process.send?.(state, () => process.disconnect());
});

async function packedStateOf(url: string): Promise<PackedState> {
  try {
    const dump = (await new NodeClient(url).call("anvil_dumpState")) as Hex;
    return { packed: await packState(dump) };
  } catch (cause) {
    return { error: sentError(cause instanceof BaseError ? cause : new StateUnreadable(cause)) };
  }
}
