import type { Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { intAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import { announcedPair } from "../../families/announced-pair.ts";
import type { SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { keyedPools } from "../../proofs/keyed-pools.ts";

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
  creations: [
    {
      // PairCreated(address indexed token0, address indexed token1, address pair, uint256 totalPair)
      topic: "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
      topics: 3,
      words: 2,
      read: (log) => announcedPair(log, 0, null),
    },
  ],
  proof: keyedPools({
    family: "smardex",
    salt: ({ token0, token1 }) => keccak(`0x${token0.slice(2)}${token1.slice(2)}`),
    // getPair(address,address)
    selectors: { findPool: "0xe6a43905", key: null },
    keys: [null],
    keyIsFee: false,
  }),
};

/** Reads the event's amounts. Positive amounts entered the pair. */
function readSwap(log: Log, pool: Pool): Swap {
  return swapOf(log, pool, intAt(log.data, 0), intAt(log.data, 1));
}
