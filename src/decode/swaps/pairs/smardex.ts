import type { Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { intAt } from "../../abi/abi.ts";
import type { SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { PAIR_CREATED, pairProof } from "./uniswap-v2.ts";

/**
 * SmarDex. Its pairs are created and looked up like those of Uniswap V2. They trade on virtual ("fictive")
 * reserves, so the tokens that a pair holds do not give its price. The factory's owner can change the fees of
 * pairs.
 *
 * Source: SmarDex-Dev/smart-contracts (contracts/core: SmardexPair.sol, and coreV1 for the first version on
 * Ethereum).
 */
export const smardex: SwapFamily = {
  family: "smardex",
  events: [
    {
      // Swap(address indexed sender, address indexed to, int256 amount0, int256 amount1)
      topic: "0xa4228e1eb11eb9b31069d9ed20e7af9a010ca1a02d4855cee54e08e188fcc32c",
      topics: 3,
      words: 2,
      read: readSwap,
    },
  ],
  creations: [PAIR_CREATED],
  proof: pairProof("smardex", { keyIsFee: false }),
};

/** Reads the event's amounts. Positive amounts entered the pair. */
function readSwap(log: Log, pool: Pool): Swap {
  return swapOf(log, pool, intAt(log.data, 0), intAt(log.data, 1));
}
