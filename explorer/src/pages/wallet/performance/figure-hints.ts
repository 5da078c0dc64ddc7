/** What the figures of a wallet mean, each in a sentence or two. */
export const FIGURE_HINTS = {
  trades:
    "Counted are trades on DEXes in transactions that this wallet sent. Transfers, airdrops and centralized exchanges are not seen.",
  total: "Realized and unrealized profit together.",
  realized:
    "What sales brought in less what the tokens sold had cost. A token costs the average of all its purchases. What is sold beyond what was bought here counts for nothing.",
  unrealized:
    "What the tokens bought and not yet sold are worth at the latest robust price, less what they had cost.",
  return: "Total profit as a share of all that was paid for tokens.",
  winRate:
    "Share of the tokens traded whose total profit is positive; not told where nothing was bought here.",
  bought: "All that was paid for tokens, in US dollars.",
  sold: "What sales of tokens bought here brought in, in US dollars. Sales of what came from elsewhere are not in it.",
  held: "Value of the tokens bought and not yet sold, at the latest robust price. What the wallet holds from elsewhere is not in it.",
  unknown:
    "Where a held token has no price, what depends on it is not known: its profit, and the wallet's totals.",
} as const;
