import { fakeChainFacts } from "./fake-chain.ts";

export const FOLLOWED_FINALITY = 24;

/** Used by test/indexing/kill.test.ts and by the process that it kills. */
export const FOLLOWED_CHAIN = fakeChainFacts("fake", { kind: "depth", blocks: FOLLOWED_FINALITY });
