/** A wallet's trade of one token. */
export interface WalletTrade {
  side: "buy" | "sell";
  /** Tokens; null if the token has no decimals, or the amount is unknown. */
  amountToken: number | null;
  /** USD; null if neither leg of the swap has a price. */
  amountUsd: number | null;
  /** Unix seconds. */
  timestamp: number;
}

/** Numbers and times of all trades, including trades whose amounts are ignored. */
export interface Activity {
  totalTrades: number;
  totalBuys: number;
  totalSells: number;
  /** Unix seconds; null if there is no trade. */
  firstTradeTimestamp: number | null;
  lastTradeTimestamp: number | null;
}

/**
 * A wallet's trades of one token, summarized by the average-cost method: everything that does not depend on
 * the current price.
 *
 * Every token sold or still held is assumed to have cost the average price of all purchases. Tokens sold in
 * excess of the tokens bought are ignored: they came from elsewhere at an unknown cost. Trades of unknown
 * amount or value are also ignored. docs/wallets.md has the formulas and an example.
 */
export interface Position extends Activity {
  /** Tokens bought, and how many of them were sold. */
  bought: number;
  sold: number;
  /** USD paid for the tokens bought, and received for those sold. */
  buyVolume: number;
  sellVolume: number;
  /** Tokens bought and not sold. */
  balance: number;
}

export function emptyPosition(): Position {
  return {
    totalTrades: 0,
    totalBuys: 0,
    totalSells: 0,
    firstTradeTimestamp: null,
    lastTradeTimestamp: null,
    bought: 0,
    sold: 0,
    buyVolume: 0,
    sellVolume: 0,
    balance: 0,
  };
}

/** Adds the next trade, in chain order, to a position. */
export function addTrade(position: Position, { side, amountToken, amountUsd, timestamp }: WalletTrade): void {
  position.totalTrades++;
  if (side === "buy") position.totalBuys++;
  else position.totalSells++;
  position.firstTradeTimestamp ??= timestamp;
  position.lastTradeTimestamp = timestamp;
  if (amountToken === null || amountUsd === null || !(amountToken > 0)) return;
  if (side === "buy") {
    position.bought += amountToken;
    position.buyVolume += amountUsd;
    position.balance += amountToken;
    return;
  }
  const covered = Math.min(amountToken, position.balance);
  position.sold += covered;
  position.sellVolume += amountUsd * (covered / amountToken);
  position.balance -= covered;
}
