import { describe, expect, it } from "vitest";
import { isHex } from "../lib/hex.ts";
import { BUILT_IN_CHAINS } from "./chains.ts";

describe.each(BUILT_IN_CHAINS)("$name", (chain) => {
  const addresses = [
    chain.wrappedNative,
    ...chain.stableCoins,
    ...chain.referencePools,
    ...chain.deployments.flatMap(({ factory, deployer = factory, positionManager = factory }) => [
      factory,
      deployer,
      positionManager,
    ]),
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
      chain.deployments.map(({ protocol }) => protocol),
    ]) {
      expect(new Set(list).size).toBe(list.length);
    }
  });

  it("has the fee of every deployment whose pools do not report it", () => {
    for (const { family, fee } of chain.deployments) {
      if (family === "uniswap-v2") expect(fee).toBeGreaterThan(0);
      else expect(fee).toBeNull();
    }
  });
});
