import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { AnonymousEvent, CreationEvent, PoolEvent, SwapFamily } from "../families/swap-family.ts";
import { balancerV1 } from "../swaps/balancer-v1.ts";
import { balancerV2 } from "../swaps/balancer-v2.ts";
import { balancerV3 } from "../swaps/balancer-v3.ts";
import { curveCrypto, curveStable } from "../swaps/curve.ts";
import { dodoV1, dodoV2 } from "../swaps/dodo.ts";
import { ekubo } from "../swaps/ekubo.ts";
import { elfomofi, tessera, woofi } from "../swaps/market-makers.ts";
import { maverickV1, maverickV2 } from "../swaps/maverick.ts";
import { pancakeInfinityBin, pancakeInfinityCl } from "../swaps/pancake-infinity.ts";
import { uniswapV2 } from "../swaps/uniswap-v2.ts";
import { uniswapV3 } from "../swaps/uniswap-v3.ts";
import { uniswapV4 } from "../swaps/uniswap-v4.ts";

/** Every supported protocol family. */
export const FAMILIES: Record<PoolFamily, SwapFamily> = {
  "uniswap-v2": uniswapV2,
  "uniswap-v3": uniswapV3,
  "uniswap-v4": uniswapV4,
  "balancer-v1": balancerV1,
  "balancer-v2": balancerV2,
  "balancer-v3": balancerV3,
  "maverick-v1": maverickV1,
  "maverick-v2": maverickV2,
  "dodo-v1": dodoV1,
  "dodo-v2": dodoV2,
  ekubo,
  "pancake-infinity-cl": pancakeInfinityCl,
  "pancake-infinity-bin": pancakeInfinityBin,
  tessera,
  elfomofi,
  woofi,
  "curve-stable": curveStable,
  "curve-crypto": curveCrypto,
};

/** A pool event and the family whose pools emit it. */
interface FamilyEvent {
  family: PoolFamily;
  event: PoolEvent;
}

/** A creation event and the family whose factories emit it. */
interface FamilyCreation {
  family: SwapFamily;
  creation: CreationEvent;
}

/** An anonymous event and the family whose singleton emits it. */
interface FamilyAnonymousEvent {
  family: PoolFamily;
  event: AnonymousEvent;
}

const ALL = Object.values(FAMILIES);

/** Pool events of all families by topic; no topic belongs to two families. */
export const POOL_EVENTS: ReadonlyMap<Hex, FamilyEvent> = new Map(
  ALL.flatMap(({ family, events }) => events.map((event) => [event.topic, { family, event }] as const)),
);

/** The creation events of all families by topic. Families share some. */
export const CREATION_EVENTS: ReadonlyMap<Hex, readonly FamilyCreation[]> = byTopic(
  ALL.flatMap((family) => family.creations.map((creation) => ({ family, creation }))),
);

function byTopic(creations: readonly FamilyCreation[]): Map<Hex, FamilyCreation[]> {
  const groups = new Map<Hex, FamilyCreation[]>();
  for (const { family, creation } of creations) {
    groups.set(creation.topic, [...(groups.get(creation.topic) ?? []), { family, creation }]);
  }
  return groups;
}

/** The anonymous events of all families. */
export const ANONYMOUS_EVENTS: readonly FamilyAnonymousEvent[] = ALL.flatMap(
  ({ family, anonymousEvents = [] }) => anonymousEvents.map((event) => ({ family, event })),
);
