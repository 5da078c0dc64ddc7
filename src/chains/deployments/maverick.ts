import type { Hex } from "../../lib/hex.ts";
import type { Deployment } from "../chain.ts";

/** Maverick V1. Its factories have created a few hundred pools, each with CREATE. */
function v1(factory: Hex, firstBlock: number): Deployment {
  return {
    protocol: "maverick_v1",
    family: "maverick-v1",
    factory,
    nonces: 1000,
    initCodeHash: null,
    fee: null,
    firstBlock,
  };
}

/** Maverick V2 has the same factory on all chains. */
function v2(firstBlock: number): Deployment {
  return {
    protocol: "maverick_v2",
    family: "maverick-v2",
    factory: "0x0a7e848aca42d879ef06507fca0e7b33a0a63c1e",
    initCodeHash: null,
    fee: null,
    firstBlock,
  };
}

export const maverickEthereum: readonly Deployment[] = [
  v1("0xeb6625d65a0553c9dbc64449e56abfe519bd9c9b", 17_210_221),
  // The first factory, which the one above replaced after two months.
  v1("0xa5ebd82503c72299073657957f41b9cea6c0a43a", 16_727_800),
  v2(20_027_236),
];

export const maverickBase: readonly Deployment[] = [
  v1("0xb2855783a346735e4aae0c1eb894def861fa9b45", 1_489_614),
  v2(15_321_281),
];
