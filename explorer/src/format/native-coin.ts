/** The coins of the built-in chains that fees are paid in. */
const COINS: Readonly<Record<string, string>> = { eth: "ETH", base: "ETH", matic: "POL" };

/** What the coin of a chain is called; the service does not tell it, so that a chain of one's own has just a coin. */
export function nativeCoin(chain: string): string {
  return COINS[chain] ?? "coin";
}
