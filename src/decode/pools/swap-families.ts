import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { AnonymousEvent, CreationEvent, PoolEvent, SwapFamily } from "../families/swap-family.ts";
import { eulerSwapV1, eulerSwapV2 } from "../swaps/lending/euler-swap.ts";
import { fluid } from "../swaps/lending/fluid.ts";
import { balancerV1 } from "../swaps/many-tokens/balancer-v1.ts";
import { balancerV2 } from "../swaps/many-tokens/balancer-v2.ts";
import { balancerV3 } from "../swaps/many-tokens/balancer-v3.ts";
import { curveCrypto, curveStable } from "../swaps/many-tokens/curve.ts";
import { saddle, smoothy } from "../swaps/many-tokens/saddle.ts";
import { elfomofi, tessera, woofi } from "../swaps/market-makers/market-makers.ts";
import { metric, metricV0 } from "../swaps/market-makers/metric.ts";
import { algebraIntegral } from "../swaps/pairs/algebra-integral.ts";
import { dodoV1, dodoV2 } from "../swaps/pairs/dodo.ts";
import { maverickV1, maverickV2 } from "../swaps/pairs/maverick.ts";
import { smardex } from "../swaps/pairs/smardex.ts";
import { solidly } from "../swaps/pairs/solidly.ts";
import { trident } from "../swaps/pairs/trident.ts";
import { uniswapV2 } from "../swaps/pairs/uniswap-v2.ts";
import { uniswapV3 } from "../swaps/pairs/uniswap-v3.ts";
import { ekubo } from "../swaps/singletons/ekubo.ts";
import { fluidDexLite } from "../swaps/singletons/fluid-dex-lite.ts";
import { pancakeInfinityBin, pancakeInfinityCl } from "../swaps/singletons/pancake-infinity.ts";
import { uniswapV4 } from "../swaps/singletons/uniswap-v4.ts";

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
  trident,
  woofi,
  solidly,
  "curve-stable": curveStable,
  "curve-crypto": curveCrypto,
  fluid,
  "fluid-dex-lite": fluidDexLite,
  "euler-swap-v1": eulerSwapV1,
  "euler-swap-v2": eulerSwapV2,
  "algebra-integral": algebraIntegral,
  smardex,
  metric,
  "metric-v0": metricV0,
  saddle,
  smoothy,
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

/**
 * Pool events of all families by topic. Some topics occur in several families. A log belongs to the family of
 * its pool.
 */
export const POOL_EVENTS: ReadonlyMap<Hex, readonly FamilyEvent[]> = byTopic(
  ALL.flatMap(({ family, events }) => events.map((event) => ({ family, event }))),
  ({ event }) => event.topic,
);

/** Creation events of all families by topic. Some topics occur in several families. */
export const CREATION_EVENTS: ReadonlyMap<Hex, readonly FamilyCreation[]> = byTopic(
  ALL.flatMap((family) => family.creations.map((creation) => ({ family, creation }))),
  ({ creation }) => creation.topic,
);

function byTopic<T>(entries: readonly T[], topicOf: (entry: T) => Hex): Map<Hex, T[]> {
  const groups = new Map<Hex, T[]>();
  for (const entry of entries) groups.set(topicOf(entry), [...(groups.get(topicOf(entry)) ?? []), entry]);
  return groups;
}

/** The anonymous events of all families. */
export const ANONYMOUS_EVENTS: readonly FamilyAnonymousEvent[] = ALL.flatMap(
  ({ family, anonymousEvents = [] }) => anonymousEvents.map((event) => ({ family, event })),
);
