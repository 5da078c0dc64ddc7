import type { Chain } from "../../../src/chains/chain.ts";
import { ethereum } from "../../../src/chains/ethereum.ts";

/** Ethereum without init-code hashes, so that every pool must be confirmed by its factory. */
export const withoutInitCode: Chain = {
  ...ethereum,
  deployments: ethereum.deployments.map((deployment) => ({ ...deployment, initCodeHash: null })),
};
