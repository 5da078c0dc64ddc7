import { base } from "./base.ts";
import type { Chain } from "./chain.ts";
import { ethereum } from "./ethereum.ts";
import { polygon } from "./polygon.ts";

/** The chains that Quarry knows without configuration. */
export const BUILT_IN_CHAINS: readonly Chain[] = [ethereum, base, polygon];
