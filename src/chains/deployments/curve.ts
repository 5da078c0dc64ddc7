import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Deployment, ListedPool } from "../chain.ts";
import {
  CURVE_CRYPTO_ETHEREUM,
  CURVE_CRYPTO_POLYGON,
  CURVE_FIRST_METAPOOLS,
  CURVE_STABLE_ETHEREUM,
  CURVE_STABLE_POLYGON,
} from "./curve-pools.ts";

/*
 * Sources of the factories' addresses: curvefi/curve-js (network_constants) and DefiLlama's
 * dimension-adapters (dexs/curve). Sources of the registries' addresses: curvefi/metaregistry, and Messari's
 * subgraphs for Polygon.
 */

/**
 * An upper bound on the contracts (pools, their tokens and gauges) that an old factory created before it was
 * replaced.
 */
const OLD_NONCES = 2_000;
/** An upper bound on the contracts that a current factory has created. Each creates a few hundred a year. */
const NONCES = 5_000;

function deployed(
  protocol: string,
  family: PoolFamily,
  factory: Hex,
  rest: Partial<Deployment> = {},
): Deployment {
  return { protocol, family, factory, ...rest, initCodeHash: null, fee: null, firstBlock: 0 };
}

/** Returns the deployment of pools that were registered by their deployers. */
function registered(
  protocol: string,
  family: PoolFamily,
  registry: Hex,
  listed: readonly ListedPool[],
): Deployment {
  return deployed(protocol, family, registry, { listed });
}

/**
 * Returns the deployment of a factory of stable pools and metapools, which are minimal proxies created with
 * CREATE. Plain pools may hold the native coin.
 */
function stableFactory(protocol: string, factory: Hex): Deployment {
  return deployed(protocol, "curve-stable", factory, { nonces: OLD_NONCES, holdsNative: true });
}

/**
 * Returns the deployment of a factory of metapools and of pools of any tokens that trade at about the same
 * price. The pools hold the native coin only in wrapped form.
 */
function stableNg(factory: Hex): Deployment {
  return deployed("curve_stable_ng", "curve-stable", factory, { nonces: NONCES });
}

/** Returns the deployment of a factory of pools of two tokens. The pools unwrap the wrapped native coin. */
function cryptoFactory(factory: Hex): Deployment {
  return deployed("curve_crypto_factory", "curve-crypto", factory, { nonces: OLD_NONCES, holdsNative: true });
}

/**
 * Returns the deployment of a factory of pools of three tokens. Most pools unwrap the wrapped native coin.
 */
function tricryptoNg(factory: Hex): Deployment {
  return deployed("curve_tricrypto_ng", "curve-crypto", factory, { nonces: NONCES, holdsNative: true });
}

/**
 * Returns the deployment of a factory of pools of two tokens. The pools do not unwrap the wrapped native
 * coin.
 */
function twocryptoNg(factory: Hex): Deployment {
  return deployed("curve_twocrypto_ng", "curve-crypto", factory, { nonces: NONCES });
}

export const curveEthereum: readonly Deployment[] = [
  registered(
    "curve_stable",
    "curve-stable",
    "0x90e00ace148ca3b23ac1bc8c240c2a7dd9c2d7f5",
    CURVE_STABLE_ETHEREUM,
  ),
  registered(
    "curve_crypto",
    "curve-crypto",
    "0x9a32af1a11d9c937aea61a3790c2983257ea8bc0",
    CURVE_CRYPTO_ETHEREUM,
  ),
  // The first factory, which creates only metapools.
  deployed("curve_metapool_factory", "curve-stable", "0x0959158b6040d32d04c301a72cbfd6b39e21c9ae", {
    nonces: OLD_NONCES,
    listed: CURVE_FIRST_METAPOOLS,
  }),
  stableFactory("curve_stable_factory", "0xb9fc157394af804a3578134a6585c0dc9cc990d4"),
  stableFactory("curve_crvusd_factory", "0x4f8846ae9380b90d2e71d5e3d042dff3e7ebb40d"),
  stableNg("0x6a8cbed756804b16e05e741edabd5cb544ae21bf"),
  cryptoFactory("0xf18056bbd320e96a48e3fbf8bc061322531aac99"),
  tricryptoNg("0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963"),
  twocryptoNg("0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f"),
];

export const curveBase: readonly Deployment[] = [
  stableFactory("curve_stable_factory", "0x3093f9b57a428f3eb6285a589cb35bea6e78c336"),
  stableNg("0xd2002373543ce3527023c75e7518c274a51ce712"),
  cryptoFactory("0x5ef72230578b3e399e6c6f4f6360edf95e83bbfd"),
  tricryptoNg("0xa5961898870943c68037f6848d2d866ed2016bcb"),
  twocryptoNg("0xc9fe0c63af9a39402e8a5514f9c43af0322b665f"),
];

export const curvePolygon: readonly Deployment[] = [
  registered(
    "curve_stable",
    "curve-stable",
    "0x094d12e5b541784701fd8d65f11fc0598fbc6332",
    CURVE_STABLE_POLYGON,
  ),
  registered(
    "curve_crypto",
    "curve-crypto",
    "0x47bb542b9de58b970ba50c9dae444ddb4c16751a",
    CURVE_CRYPTO_POLYGON,
  ),
  stableFactory("curve_stable_factory", "0x722272d36ef0da72ff51c5a65db7b870e2e8d4ee"),
  stableNg("0x1764ee18e8b3cca4787249ceb249356192594585"),
  cryptoFactory("0xe5de15a9c9bbedb4f5ec13b131e61245f2983a69"),
  tricryptoNg("0xc1b393efef38140662b91441c6710aa704973228"),
  twocryptoNg("0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f"),
];
