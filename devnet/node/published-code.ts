import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Hex } from "../../src/lib/hex.ts";
import { word } from "./call-data.ts";

const require = createRequire(import.meta.url);
const BALANCER = "@balancer-labs/v2-deployments/deployed/mainnet";
// Arguments of the Vault on mainnet: for so long after its creation it can be paused, and then stays paused.
const PAUSE_WINDOW_SECONDS = 7_776_000;
const PAUSE_BUFFER_SECONDS = 2_592_000;

/** The contracts of the DEXes, as their npm packages have them. */
function packageJson(path: string): unknown {
  return JSON.parse(readFileSync(require.resolve(path), "utf8"));
}

export function waffleCode(path: string): Hex {
  const artifact = packageJson(path) as { evm: { deployedBytecode: { object: string } } };
  return `0x${artifact.evm.deployedBytecode.object}`;
}

/**
 * The factory keeps its own address as an immutable: 32 zero bytes after PUSH32 in the artifact. The pools'
 * creation code inside has such places too, which the pools' own constructor fills.
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

/** The only immutable is the manager's own address, in whose place the artifact has zeros. */
export function v4ManagerCode(address: Hex): Hex {
  const artifact = packageJson("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json") as FoundryArtifact;
  const { object, immutableReferences } = artifact.deployedBytecode;
  const places = Object.values(immutableReferences).flat();
  return places.reduce<Hex>((code, { start }) => {
    const from = 2 + 2 * start;
    return `0x${code.slice(2, from)}${word(address)}${code.slice(from + 64)}`;
  }, object);
}

/** Data of the transactions that create Balancer V2's authorizer, its Vault and its factory of weighted pools. */
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
