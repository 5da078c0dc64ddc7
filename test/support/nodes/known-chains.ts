import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Chain } from "../../../src/chains/chain.ts";
import { BUILT_IN_CHAINS } from "../../../src/chains/chains.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { packageFolder } from "../../../src/lib/package-folder.ts";

const FOLDER = join(packageFolder(), "docs/chains");

/** The built-in chains and the chains configured in docs/chains. */
export const KNOWN_CHAINS: readonly Chain[] = [...BUILT_IN_CHAINS, ...readdirSync(FOLDER).map(configured)];

function configured(file: string): Chain {
  const { settings, chains } = loadConfig(["chain"], { flags: {}, env: {}, file: join(FOLDER, file) });
  const chain = chains.get(settings.chain);
  if (chain === undefined) throw new Error(`${file} defines no chain ${settings.chain}`);
  return chain;
}
