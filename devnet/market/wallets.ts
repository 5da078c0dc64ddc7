import type { Hex } from "../../src/lib/hex.ts";

/** Wallets of the demo chain by role. They are the node's unlocked accounts. */
export interface Wallets {
  makers: Hex[];
  arbitrageurs: Hex[];
  trendFollowers: Hex[];
  washers: [Hex, Hex];
  whale: Hex;
  sandwicher: Hex;
  rugger: Hex;
  /** May mint tokens, and receives the transfer tax. */
  minter: Hex;
  retail: Hex[];
}

/** First account of the node's default mnemonic. */
export const MINTER: Hex = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

export function assignWallets(accounts: Hex[]): Wallets {
  const sorted = accounts.filter((account) => account !== MINTER).sort();
  const [whale, sandwicher, rugger, wash1, wash2] = sorted.splice(0, 5) as [Hex, Hex, Hex, Hex, Hex];
  return {
    minter: MINTER,
    whale,
    sandwicher,
    rugger,
    washers: [wash1, wash2],
    makers: sorted.splice(0, 8),
    arbitrageurs: sorted.splice(0, 6),
    trendFollowers: sorted.splice(0, 16),
    retail: sorted,
  };
}
