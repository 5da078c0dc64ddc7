import { parentPort } from "node:worker_threads";
import secp256k1 from "secp256k1";
import { recoverSenders } from "./signatures.ts";

/** The thread that recovers senders. Responds to the messages in order. */
parentPort?.on("message", (packed: Uint8Array) => {
  const result = recoverSenders(packed, (signature, recoveryId, hash) =>
    secp256k1.ecdsaRecover(signature, recoveryId, hash, false),
  );
  parentPort?.postMessage(result, "senders" in result ? [result.senders.buffer] : []);
});
