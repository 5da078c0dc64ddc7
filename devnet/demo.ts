import type { DevnetPackage } from "../src/cli/demo/devnet.ts";
import { devnetChain } from "./chain.ts";
import { startDevnet } from "./devnet.ts";
import { SavedStateError } from "./node/saved-state.ts";

/** The package that `quarry demo` runs. */
export const demo: DevnetPackage = { chain: devnetChain(), start: startDevnet, SavedStateError };
