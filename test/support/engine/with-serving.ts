import { loadWindow } from "../../../src/reads/served/load-window.ts";
import type { ReadableChain } from "../../../src/reads/snapshot/snapshot.ts";
import { ServingState } from "../../../src/serving/serving-state.ts";
import type { Engine } from "../../../src/storage/store.ts";

/** Memory for everything about the chains. */
const SERVING_BYTES = 64 * 2 ** 20;

/** Gives each chain a serving state with its newest trades. */
export function withServing(engine: Engine, chains: readonly ReadableChain[]): Promise<ReadableChain[]> {
  return Promise.all(
    chains.map(async (chain) => {
      const serving = new ServingState(SERVING_BYTES);
      serving.startAt(await chain.store.committed());
      const readable = { ...chain, serving };
      await loadWindow({ engine, chains: [readable] }, readable, {});
      return readable;
    }),
  );
}
