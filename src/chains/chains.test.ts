import { describe, expect, it } from "vitest";
import { isHex } from "../lib/hex.ts";
import { isSingleton, type PoolFamily } from "../schema/pool-families.ts";
import { BUILT_IN_CHAINS } from "./chains.ts";

/** V2 forks whose pairs have different fees. */
const FEE_BY_PAIR = ["fraxswap_v2", "swapr_v2"];

/**
 * Families whose salts are not on the chain, or whose pools are clones. Their factories announce or confirm
 * the pools.
 */
const CONFIRMED: PoolFamily[] = [
  "balancer-v2",
  "balancer-v3",
  "maverick-v2",
  "dodo-v1",
  "dodo-v2",
  "trident",
  "euler-swap-v1",
  "euler-swap-v2",
  "metric",
  "metric-v0",
];
/** Families of market makers, each of whose contracts is listed separately. */
const MARKET_MAKERS: readonly string[] = ["tessera", "elfomofi", "woofi"];

describe.each(BUILT_IN_CHAINS)("$name", (chain) => {
  const addresses = [
    chain.wrappedNative,
    ...chain.stableCoins,
    ...chain.referencePools,
    ...chain.deployments.flatMap((deployment) => {
      const { factory, deployer = factory, positionManager = factory, vault = factory } = deployment;
      const { feeControllers = [], stableFactories = [] } = deployment;
      return [factory, deployer, positionManager, vault, ...feeControllers, ...stableFactories];
    }),
  ];

  it("has valid addresses and hashes in lower case", () => {
    for (const address of addresses) {
      expect(isHex(address, 20)).toBe(true);
      expect(address).toBe(address.toLowerCase());
    }
    for (const { initCodeHash } of chain.deployments) {
      if (initCodeHash !== null) expect(initCodeHash).toMatch(/^0x[0-9a-f]{64}$/);
    }
  });

  it("lists nothing twice", () => {
    for (const list of [
      chain.stableCoins,
      chain.referencePools,
      chain.deployments.map(({ factory }) => factory),
    ]) {
      expect(new Set(list).size).toBe(list.length);
    }
  });

  it("names each protocol after one family", () => {
    const named = chain.deployments.map(({ protocol, family }) => `${protocol} ${family}`);
    const protocols = chain.deployments.map(({ protocol }) => protocol);
    expect(new Set(named).size).toBe(new Set(protocols).size);
  });

  it("has the fee of every deployment whose pools share one and do not report it", () => {
    for (const { protocol, family, fee } of chain.deployments) {
      if (family !== "uniswap-v2" || FEE_BY_PAIR.includes(protocol)) expect(fee).toBeNull();
      else expect(fee).toBeGreaterThan(0);
    }
  });

  it("has no factory whose word alone makes a contract a pool, where the chain shows what its address follows from", () => {
    for (const { family, initCodeHash, nonces, listed, keys } of chain.deployments) {
      if (isSingleton(family) || MARKET_MAKERS.includes(family) || CONFIRMED.includes(family)) continue;
      if (initCodeHash !== null || nonces !== undefined || listed !== undefined) continue;
      expect(keys).toBeDefined();
    }
  });
});
