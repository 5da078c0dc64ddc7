import type { Hex } from "../../lib/hex.ts";
import type { ContractFamily, PoolFamily } from "../../schema/swap.ts";
import type { ContractSwapFamily, PoolEvent, SwapFamily } from "../families/swap-family.ts";
import { uniswapV2 } from "../swaps/uniswap-v2.ts";
import { uniswapV3 } from "../swaps/uniswap-v3.ts";
import { uniswapV4 } from "../swaps/uniswap-v4.ts";

/** Families whose pools are contracts of their own. */
export const CONTRACT_FAMILIES: Record<ContractFamily, ContractSwapFamily> = {
  "uniswap-v2": uniswapV2,
  "uniswap-v3": uniswapV3,
};

/** Every supported protocol family. */
export const FAMILIES: Record<PoolFamily, SwapFamily> = { ...CONTRACT_FAMILIES, "uniswap-v4": uniswapV4 };

/** A pool event and the family whose pools emit it. */
interface FamilyEvent {
  family: PoolFamily;
  event: PoolEvent;
}

const ALL = Object.values(FAMILIES);

/** Pool events of all families by topic; no topic belongs to two families. */
export const POOL_EVENTS: ReadonlyMap<Hex, FamilyEvent> = new Map(
  ALL.flatMap(({ family, events }) => events.map((event) => [event.topic, { family, event }] as const)),
);

/** Families by the topic of their factories' creation event. */
export const CREATION_EVENTS: ReadonlyMap<Hex, SwapFamily> = new Map(
  ALL.map((family) => [family.creation.topic, family] as const),
);
