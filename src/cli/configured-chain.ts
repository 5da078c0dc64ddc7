import type { Chain } from "../chains/chain.ts";
import { BaseError } from "../lib/error.ts";
import { didYouMean } from "../lib/names/suggestion.ts";

/**
 * Returns the configured chain with a name. If there is none, throws an error with the code `unknown-chain`,
 * which lists all chains.
 */
export function configuredChain(chains: ReadonlyMap<string, Chain>, name: string): Chain {
  const chain = chains.get(name);
  if (chain === undefined) throw new UnknownChain(name, [...chains.keys()]);
  return chain;
}

class UnknownChain extends BaseError {
  constructor(name: string, known: string[]) {
    super(
      "unknown-chain",
      `--chain: unknown chain ${JSON.stringify(name.slice(0, 40))}${didYouMean(name, known) || "."} Known: ${known.join(", ")}. ` +
        'Add others under "chains" in the configuration file.',
    );
  }
}
