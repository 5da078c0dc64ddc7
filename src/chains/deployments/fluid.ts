import type { Deployment } from "../chain.ts";

/**
 * Fluid DEX T1: the factory and the Liquidity layer have the same addresses on all chains. No chain has had
 * more than a few dozen pools. Source: the deployments in the repository fluid-contracts-public. It lists 208
 * pools in total, and the addresses of all of them follow from their nonces.
 */
function fluid(firstBlock: number): Deployment {
  return {
    protocol: "fluid",
    family: "fluid",
    factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
    vault: "0x52aa899454998be5b000ad077a46bbe360f4e497",
    nonces: 1000,
    initCodeHash: null,
    fee: null,
    firstBlock,
  };
}

export const FLUID_ETHEREUM = fluid(21_015_648);
export const FLUID_BASE = fluid(21_789_045);
export const FLUID_POLYGON = fluid(68_632_694);
