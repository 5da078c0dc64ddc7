import { type Chain, numberingOf, scopeOf } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Engine } from "../../storage/store.ts";
import { readChains } from "../open-store.ts";

/** The definition with which a chain must be checked. */
export interface CheckedDefinition {
  /** The definition, with the stored form of the rows. */
  chain: Chain;
  /** True if this is the definition with which the chain was indexed, not the configured one. */
  isStored: boolean;
}

/**
 * Returns the configured definition of a chain. It may have more protocols than the stored one, and the
 * doctor then finds their missing rows. But if the chain was indexed with contracts that the configuration
 * lacks, such as contracts from another configuration file or from the demo, correct rows would count as
 * damage, and a repair would remove them. In that case, the stored definition is returned.
 */
export async function checkedChain(engine: Engine, configured: Chain): Promise<CheckedDefinition> {
  const stored = (await readChains(engine)).find(({ name }) => name === configured.name);
  if (stored === undefined) return { chain: configured, isStored: false };
  const known = new Set(contractsOf(configured));
  const isStored =
    stored.chainId !== configured.chainId || contractsOf(stored).some((contract) => !known.has(contract));
  const form = { scope: scopeOf(stored), numbering: numberingOf(stored) };
  return { chain: isStored ? stored : { ...configured, ...form }, isStored };
}

/** Returns the contracts that determine which rows a block has. */
function contractsOf({ deployments, stableCoins, wrappedNative }: Chain): Hex[] {
  return [
    ...deployments.flatMap(({ factory, vault = factory }) => [factory, vault]),
    ...stableCoins,
    wrappedNative,
  ];
}
