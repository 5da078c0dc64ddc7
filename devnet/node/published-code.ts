import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Hex } from "../../src/lib/hex.ts";
import { packageFolder } from "../../src/lib/package-folder.ts";
import { word } from "./call-data.ts";

const require = createRequire(join(packageFolder(), "devnet/package.json"));
const BALANCER = "@balancer-labs/v2-deployments/deployed/mainnet";
// Arguments of the Vault on mainnet: how long after its creation it can be paused, and how long it can then
// stay paused.
const PAUSE_WINDOW_SECONDS = 7_776_000;
const PAUSE_BUFFER_SECONDS = 2_592_000;

/** Reads a JSON file with a DEX's contract from its npm package. */
function packageJson(path: string): unknown {
  return JSON.parse(readFileSync(require.resolve(path), "utf8"));
}

export function waffleCode(path: string): Hex {
  const artifact = packageJson(path) as { evm: { deployedBytecode: { object: string } } };
  return `0x${artifact.evm.deployedBytecode.object}`;
}

/**
 * Returns the code of the V3 factory at an address. The factory has its address as an immutable, which is 32
 * zero bytes after PUSH32 in the artifact. The creation code of pools, inside the factory's code, also has
 * immutables. It stays unchanged, because the constructor of the pools fills them in.
 */
export function v3FactoryCode(address: Hex): Hex {
  const folder = "@uniswap/v3-core/artifacts/contracts";
  const factory = packageJson(`${folder}/UniswapV3Factory.sol/UniswapV3Factory.json`);
  const pool = packageJson(`${folder}/UniswapV3Pool.sol/UniswapV3Pool.json`);
  const poolCode = (pool as { bytecode: Hex }).bytecode.slice(2);
  const parts = (factory as { deployedBytecode: Hex }).deployedBytecode.split(poolCode);
  const filled = parts.map((part) => part.replaceAll(`7f${word(0)}`, `7f${word(address)}`));
  return filled.join(poolCode) as Hex;
}

interface FoundryArtifact {
  deployedBytecode: { object: Hex; immutableReferences: Record<string, { start: number }[]> };
}

/**
 * Returns the code of the V4 manager at an address. Its only immutable is its address, which is zero in the
 * artifact.
 */
export function v4ManagerCode(address: Hex): Hex {
  const artifact = packageJson("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json") as FoundryArtifact;
  const { object, immutableReferences } = artifact.deployedBytecode;
  const places = Object.values(immutableReferences).flat();
  return places.reduce<Hex>((code, { start }) => {
    const from = 2 + 2 * start;
    return `0x${code.slice(2, from)}${word(address)}${code.slice(from + 64)}`;
  }, object);
}

/**
 * Returns the data of the transactions that create Balancer V2's authorizer, Vault and weighted pool factory.
 */
export function balancerCreations(
  admin: Hex,
  { authorizer, wrapped, vault }: { authorizer: Hex; wrapped: Hex; vault: Hex },
): Hex[] {
  return [
    creation("Authorizer", admin),
    creation("Vault", authorizer, wrapped, PAUSE_WINDOW_SECONDS, PAUSE_BUFFER_SECONDS),
    creation("WeightedPoolFactory", vault),
  ];
}

function creation(contract: string, ...args: (Hex | number)[]): Hex {
  const { bytecode } = packageJson(`${BALANCER}/${contract}.json`) as { bytecode: Hex };
  return `${bytecode}${args.map(word).join("")}`;
}
