/** Explanations of a wallet's figures. */
export const FIGURE_HINTS = {
  trades:
    "Trades on DEXes in transactions sent by this wallet. Transfers, airdrops and centralized exchanges are not included.",
  total: "Realized plus unrealized profit.",
  realized:
    "Proceeds of sales minus the cost of the tokens sold, at the average price of all purchases. Tokens sold beyond those bought here do not count.",
  unrealized: "Value of the tokens bought and not yet sold, at the latest robust price, minus their cost.",
  return: "Total profit as a share of the cost of all purchases.",
  winRate:
    "Share of traded tokens with a positive total profit; unknown if the wallet bought no tokens here.",
  bought: "Total paid for tokens, in US dollars.",
  sold: "Proceeds from sales of tokens bought here, in US dollars. Sales of tokens from elsewhere are not included.",
  held: "Value of the tokens bought and not yet sold, at the latest robust price. Tokens from elsewhere are not included.",
  unknown:
    "If a held token has no price, every figure that depends on it is unknown: its profit and the wallet's totals.",
} as const;
