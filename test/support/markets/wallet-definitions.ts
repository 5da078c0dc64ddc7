/** A row of the table of trades. */
export interface TradeRow {
  wallet: string;
  token: string;
  side: string;
  amount: number | null;
  usd: number | null;
  timestamp: number;
}

type Figures = Record<string, number | null>;

/**
 * Computes the figures of a wallet's trades of one token directly from the interface's definitions, over
 * arrays. Shares no code with the service.
 */
export function figuresByDefinition(trades: readonly TradeRow[], price: number | null): Figures {
  const { buys, sells } = countedTrades(trades);
  const spent = buys.reduce((sum, { usd }) => sum + usd, 0);
  const received = sells.reduce((sum, { usd }) => sum + usd, 0);
  const quantityBought = total(buys);
  const quantitySold = total(sells);
  const difference = quantityBought - quantitySold;
  const quantityHeld = difference < quantityBought * 1e-11 ? 0 : difference;
  const averageBuy = quantityBought === 0 ? null : spent / quantityBought;
  const averageSell = quantitySold === 0 ? null : received / quantitySold;
  return {
    ...derived({
      realizedValue: quantitySold * (averageSell ?? 0),
      realizedInvestment: quantitySold * (averageBuy ?? 0),
      unrealizedValue: quantityHeld === 0 ? 0 : price === null ? null : quantityHeld * price,
      unrealizedInvestment: quantityHeld * (averageBuy ?? 0),
    }),
    total_trades: trades.length,
    total_buys: trades.filter(({ side }) => side === "buy").length,
    total_sells: trades.filter(({ side }) => side === "sell").length,
    first_trade_timestamp: trades.length === 0 ? null : Math.min(...trades.map((one) => one.timestamp)),
    last_trade_timestamp: trades.length === 0 ? null : Math.max(...trades.map((one) => one.timestamp)),
    total_buy_volume: spent,
    total_sell_volume: received,
    total_buy_amount: quantityBought,
    total_sell_amount: quantitySold,
    avg_buy_price: averageBuy,
    avg_sell_price: averageSell,
    trading_balance: quantityHeld,
    current_price: price,
  };
}

interface Counted {
  amount: number;
  usd: number;
}

const total = (list: readonly Counted[]) => list.reduce((sum, { amount }) => sum + amount, 0);

function countedTrades(trades: readonly TradeRow[]): { buys: Counted[]; sells: Counted[] } {
  const buys: Counted[] = [];
  const sells: Counted[] = [];
  for (const { side, amount, usd } of trades) {
    if (amount === null || usd === null || amount === 0) continue;
    if (side === "buy") {
      buys.push({ amount, usd });
      continue;
    }
    const counted = Math.min(amount, Math.max(0, total(buys) - total(sells)));
    if (counted > 0) sells.push({ amount: counted, usd: (usd / amount) * counted });
  }
  return { buys, sells };
}

interface Parts {
  realizedValue: number;
  realizedInvestment: number;
  unrealizedValue: number | null;
  unrealizedInvestment: number;
}

function derived({ realizedValue, realizedInvestment, unrealizedValue, unrealizedInvestment }: Parts) {
  const investment = realizedInvestment + unrealizedInvestment;
  const percent = (profit: number | null) =>
    profit === null || investment === 0 ? null : (100 * profit) / investment;
  const realized = realizedValue - realizedInvestment;
  const unrealized = unrealizedValue === null ? null : unrealizedValue - unrealizedInvestment;
  const profit = unrealized === null ? null : realized + unrealized;
  return {
    pnl: realizedValue - investment,
    total_profit: profit,
    total_value: unrealizedValue === null ? null : realizedValue + unrealizedValue,
    total_investment: investment,
    total_return: percent(profit),
    realized_profit: realized,
    realized_value: realizedValue,
    realized_investment: realizedInvestment,
    realized_return: percent(realized),
    unrealized_profit: unrealized,
    unrealized_value: unrealizedValue,
    unrealized_investment: unrealizedInvestment,
    unrealized_return: percent(unrealized),
  };
}

/** Computes a wallet's totals from the figures of its tokens. */
export function totalsByDefinition(tokens: readonly Figures[]): Figures {
  const sum = (name: string) =>
    tokens.reduce<number | null>(
      (total, token) => (total === null || token[name] == null ? null : total + token[name]),
      0,
    );
  const times = (name: string) => tokens.flatMap((token) => token[name] ?? []);
  const parts = {
    realizedValue: sum("realized_value") ?? 0,
    realizedInvestment: sum("realized_investment") ?? 0,
    unrealizedValue: sum("unrealized_value"),
    unrealizedInvestment: sum("unrealized_investment") ?? 0,
  };
  const moved = (token: Figures) => (token.total_buy_volume ?? 0) + (token.total_sell_volume ?? 0);
  const winners = tokens.filter((token) => (token.total_profit ?? 0) > 1e-11 * moved(token)).length;
  return {
    total_tokens_traded: tokens.length,
    ...derived(parts),
    win_rate: tokens.length === 0 ? null : winners / tokens.length,
    total_trades: sum("total_trades"),
    total_buys: sum("total_buys"),
    total_sells: sum("total_sells"),
    first_trade_timestamp: tokens.length === 0 ? null : Math.min(...times("first_trade_timestamp")),
    last_trade_timestamp: tokens.length === 0 ? null : Math.max(...times("last_trade_timestamp")),
    total_buy_volume: sum("total_buy_volume"),
    total_sell_volume: sum("total_sell_volume"),
  };
}

/**
 * Returns the figures that differ by more than 1e-9 of the money that moved. A difference of large sums is no
 * more precise than the sums, and a percentage is no more precise than the amounts that it divides.
 */
export function differences(found: object, expected: Figures, scale: number): string[] {
  const given = found as Figures;
  return Object.entries(expected).flatMap(([name, value]) => {
    const other = given[name];
    if (value === null || other === null || other === undefined)
      return value === other ? [] : [difference(name, other, value)];
    const money = name.endsWith("_return") ? 100 : name in COUNTS ? 0 : scale;
    const isClose = Math.abs(value - other) <= 1e-9 * Math.max(Math.abs(value), money);
    return isClose ? [] : [difference(name, other, value)];
  });
}

const COUNTS = { total_trades: 0, total_buys: 0, total_sells: 0, total_tokens_traded: 0, win_rate: 0 };

function difference(name: string, found: unknown, expected: unknown): string {
  return `${name}: ${found}, by definition ${expected}`;
}
