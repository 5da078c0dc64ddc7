import { RUGGED, STABLES, WETH } from "../market/tokens.ts";
import { ALL, quoteOf, tradeEther, tradeShare } from "../market/trade.ts";
import type { Prospect, View } from "../market/view.ts";
import type { Intent } from "../node/block-maker.ts";

const SELL_CHANCE = 0.55;
const DUST_CHANCE = 0.02;
const SLIPPAGE_CHANCE = 0.02;
const IMPOSSIBLE = 2n ** 200n;

/** Returns the trades of ordinary traders, who buy or sell the tokens that they watch. */
export function tradeRetail(view: View, prospects: Prospect[]): Intent[] {
  return prospects.flatMap((prospect) => {
    const rugged = prospect.token === RUGGED && view.timestamp >= view.rugTime;
    return rugged ? flee(prospect) : [tradeOne(prospect, view)];
  });
}

/** Returns the sale of a trader's whole balance of the rugged token. No trader buys this token any more. */
function flee(prospect: Prospect): Intent[] {
  return prospect.balance > 0n ? [sell(prospect, 1)] : [];
}

/**
 * Returns a trade of one trader. A trader who holds the token sells it or, at random, buys more of it. Any
 * other trader buys it.
 */
function tradeOne(prospect: Prospect, view: View): Intent {
  const { random } = view;
  const sells = prospect.balance > 0n && random.chance(SELL_CHANCE);
  const intent = sells ? sell(prospect, random.between(0.15, 1.2)) : buy(prospect, view);
  // Some traders demand a better price than the market's, so their transactions fail.
  return random.chance(SLIPPAGE_CHANCE) ? impossible(prospect) : intent;
}

export function sell({ trader, pool, token }: Prospect, part: number): Intent {
  // Traders sell only a little ether at once, because they also pay for tokens with it.
  const share = token === WETH ? part * 0.12 : part;
  return tradeShare({ trader, through: [pool], sell: token, share: share * ALL });
}

export function buy({ trader, pool, token }: Prospect, view: View): Intent {
  const { random } = view;
  const quote = quoteOf(pool, token);
  if (quote === WETH && random.chance(0.5)) {
    return tradeEther(trader, pool, [WETH, Math.min(12, random.logNormal(0.12, 1.2))]);
  }
  const usual = STABLES.includes(quote) ? random.logNormal(0.012, 1.1) : random.logNormal(0.02, 1);
  const share = random.chance(DUST_CHANCE) ? 0.000_002 : Math.min(0.4, usual);
  return tradeShare({ trader, through: [pool], sell: quote, share: share * ALL });
}

function impossible({ trader, pool, token }: Prospect): Intent {
  const sellToken = quoteOf(pool, token);
  return tradeShare({ trader, through: [pool], sell: sellToken, share: ALL / 20, minimum: IMPOSSIBLE });
}
