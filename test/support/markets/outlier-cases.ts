import { median } from "../../../src/pricing/math/weighted-median.ts";
import { REACH_VOTES } from "../../../src/pricing/robust/robust-price.ts";
import { AmmMarket, type LabelledTrade, type MarketOptions } from "./amm-market.ts";

export interface OutlierCase {
  name: string;
  kind: "manipulation" | "move" | "market";
  /** Trades in chain order. */
  variants: LabelledTrade[][];
}

/** Number of honest trades before and after an attack. It is enough for two price levels. */
const BEFORE = 60;
const AFTER = 60;
const ATTACKER = 950;
const VICTIM = 800;
const HOUR = 3600;

const DEEP = { depth: 2e6, fee: 0.0005 };
const USUAL = { depth: 3e5, fee: 0.003 };
const THIN = { depth: 3e4, fee: 0.003 };
const DEAR = { depth: 6e4, fee: 0.01 };

interface Setting {
  name: string;
  market: MarketOptions;
  seed: number;
  bounds: Bounds;
}

/** What the robust rule has to achieve in a market. Distances are differences of log prices. */
interface Bounds {
  /** How far a manipulation may move a candle. */
  moved: number;
  /** Minimum share of the manipulated trades that must be rejected. */
  recall: number;
  /** How far one wallet that makes hundreds of small trades may move a candle. */
  patient: number;
}

/** The markets that are attacked. */
export const SETTINGS: readonly Setting[] = [
  {
    name: "busy coin",
    market: { pools: [DEEP], secondsPerTrade: 4, dailyVolatility: 0.03, typicalShare: 0.0002 },
    seed: 0,
    bounds: { moved: 0.02, recall: 1, patient: 0.03 },
  },
  {
    name: "thin pool next to deep ones",
    market: { pools: [THIN, USUAL, DEEP], secondsPerTrade: 12, dailyVolatility: 0.08 },
    seed: 300,
    bounds: { moved: 0.02, recall: 1, patient: 0.03 },
  },
  {
    name: "one ordinary pool",
    market: { pools: [USUAL], secondsPerTrade: 30, dailyVolatility: 0.05 },
    seed: 100,
    bounds: { moved: 0.035, recall: 0.92, patient: 0.05 },
  },
  {
    name: "one thin pool",
    market: { pools: [THIN], secondsPerTrade: 120, dailyVolatility: 0.05 },
    seed: 200,
    bounds: { moved: 0.04, recall: 0.88, patient: 0.075 },
  },
  {
    name: "volatile token, fees of 1 and 0.3 %",
    market: { pools: [DEAR, THIN], secondsPerTrade: 20, dailyVolatility: 0.3 },
    seed: 400,
    bounds: { moved: 0.06, recall: 0.65, patient: 0.075 },
  },
];
const SEEDS = [11, 22, 33];

type Attack = (market: AmmMarket, size: number) => void;

/** Runs the attack twice in a market for each setting, size and seed. Returns the trades of each market. */
function attacked(settings: readonly Setting[], attack: Attack, sizes: readonly number[]): LabelledTrade[][] {
  return settings.flatMap((setting) =>
    sizes.flatMap((size, place) =>
      SEEDS.map((seed) => {
        const market = new AmmMarket(seed + setting.seed + 1000 * place, setting.market);
        market.run(BEFORE);
        attack(market, size);
        market.run(AFTER);
        attack(market, size);
        market.run(AFTER);
        return market.trades;
      }),
    ),
  );
}

const sandwich: Attack = (market, push) => {
  market.wait(1);
  const bot = { trader: ATTACKER, bent: true };
  const bought = market.buy(0, market.usdToMove(0, push), bot);
  market.buy(0, market.usdToMove(0, 1 + (push - 1) / 2), { trader: VICTIM, bent: true });
  market.sell(0, bought, bot);
};

/** Several wallets raise the price in a few steps and then sell again, all in one block. */
const oneBlock: Attack = (market, factor) => {
  market.wait(1);
  const bought: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    bought.push(market.buy(0, market.usdToMove(0, factor ** 0.25), { trader: ATTACKER + i, bent: true }));
  }
  market.buy(0, market.usdToMove(0, 1.001), { trader: ATTACKER + 5, bent: true });
  for (const [i, tokens] of bought.toReversed().entries())
    market.sell(0, tokens, { trader: ATTACKER + i, bent: true });
};

/** Raises and lowers the price in one transaction. */
const flashLoan: Attack = (market, factor) => {
  market.wait(1);
  const by = { trader: ATTACKER, bent: true, transaction: market.transaction() };
  market.sell(0, market.buy(0, market.usdToMove(0, factor), by), by);
};

/** Two wallets trade with each other in their own pool, in twelve rounds between honest trades. */
const wash: Attack = (market, factor) => {
  const { usd } = market.trades.at(-1) ?? { usd: 100 };
  for (let i = 0; i < 12; i += 1) {
    market.run(3);
    for (let j = 0; j < 2; j += 1) {
      const by = { trader: ATTACKER + ((i + j) % 2), bent: true, buys: j === 0 };
      market.declare(market.truth * factor, Math.max(50, 10 * usd), by);
    }
  }
};

/** Number of trades of `patience` at the same distance: nearly all of the newest 41 votes in a quiet market. */
const PATIENT_TRADES = 37;
/** Distance of the first of these trades: any price this close to the level is accepted. */
const PATIENT_START = 0.014;
/** Factor by which the distance grows. It is less than what the tolerance adds to the scatter of prices. */
const PATIENT_GROWTH = 1.5;
/** Value of each of these trades, as a share of the median trade. */
const PATIENT_SHARE = 0.05;

/**
 * The attacker makes a small trade in its own pool in each block, above and below the token's value in turn
 * and ever farther away from it, so that prices seem to scatter more and more.
 *
 * @param wallets number of the attacker's wallets, which trade in turn
 */
const patience =
  (wallets: number): Attack =>
  (market, factor) => {
    const usual = median(market.trades.slice(-REACH_VOTES).map((trade) => trade.usd));
    const usd = Math.max(2, PATIENT_SHARE * usual);
    const farthest = Math.log(factor);
    const steps = Math.log(farthest / PATIENT_START) / Math.log(PATIENT_GROWTH);
    for (let made = 0; made < PATIENT_TRADES * (steps + 2); ) {
      const grown = PATIENT_START * PATIENT_GROWTH ** Math.floor(made / PATIENT_TRADES);
      const distance = Math.min(farthest, grown);
      made += market.stepBetween(() => {
        const sign = market.block % 2 === 0 ? 1 : -1;
        const trader = ATTACKER + (market.block % wallets);
        market.declare(market.truth * Math.exp(sign * distance), usd, { trader, bent: true, buys: sign > 0 });
      });
    }
  };

const dust: Attack = (market, factor) => {
  for (let i = 0; i < 10; i += 1) {
    market.run(2);
    market.declare(market.truth * factor, 0.99 * market.random(), { trader: ATTACKER + (i % 4), bent: true });
  }
};

/** One trade in ten goes through a router, which reports amounts that are off by a transfer tax. */
const tax: Attack = (market, rate) => {
  for (let i = 0; i < 6; i += 1) {
    market.run(9);
    const buys = market.random() < 0.5;
    const price = market.truth * (buys ? 1 / (1 - rate) : 1 - rate);
    market.declare(price, 20 + 200 * market.random(), { trader: 700 + i, bent: true, buys, pool: 0 });
  }
};

const fatFinger: Attack = (market, factor) => {
  market.wait(1);
  const by = { trader: VICTIM, bent: true };
  if (factor > 1) market.buy(0, market.usdToMove(0, factor), by);
  else market.sell(0, market.tokensToMove(0, factor), by);
};

export function manipulations(settings: readonly Setting[] = SETTINGS): OutlierCase[] {
  const attacks: [string, Attack, number[]][] = [
    ["sandwich", sandwich, [1.03, 1.06, 1.12, 1.5]],
    ["one block, four wallets", oneBlock, [1.04, 1.1, 1.5, 10]],
    ["flash loan", flashLoan, [1.1, 4, 100]],
    ["wash trading, two wallets", wash, [0.95, 1.06, 1.3, 20]],
    ["dust", dust, [0.9, 1.04, 3, 1000]],
    ["fee on transfer", tax, [0.01, 0.03, 0.05, 0.1]],
    ["fat finger", fatFinger, [0.3, 0.9, 1.1, 5]],
  ];
  return attacks.map(([name, attack, sizes]) => ({
    name,
    kind: "manipulation",
    variants: attacked(settings, attack, sizes),
  }));
}

/**
 * Returns the case of `patience`. It has hundreds of trades, too many to play in real pools along with the
 * other manipulations.
 */
export function patientWallets(wallets: number, settings: readonly Setting[] = SETTINGS): OutlierCase {
  const name = wallets === 1 ? "one patient wallet" : `${wallets} patient wallets`;
  return { name, kind: "manipulation", variants: attacked(settings, patience(wallets), [1.06, 1.3, 3]) };
}

/** Makes a case of honest trading along given price paths. */
function move(name: string, paths: readonly [MarketOptions, number][]): OutlierCase {
  const variants = paths.flatMap(([options, trades], place) =>
    SEEDS.map((seed) => {
      const market = new AmmMarket(seed + 7000 + 100 * place, options);
      market.run(trades);
      return market.trades;
    }),
  );
  return { name, kind: "move", variants };
}

/** Returns a path that moves from 1 to `factor` between two times, at a constant rate of growth. */
const ramp = (factor: number, from: number, until: number) => (seconds: number) =>
  factor ** Math.min(1, Math.max(0, (seconds - from) / (until - from)));

export function moves(): OutlierCase[] {
  const launch = (secondsPerTrade: number): MarketOptions => ({
    pools: [DEAR],
    secondsPerTrade,
    dailyVolatility: 1,
    path: ramp(50, 60, HOUR),
  });
  const crash = (secondsPerTrade: number, minutes: number): MarketOptions => ({
    pools: [USUAL, THIN],
    secondsPerTrade,
    dailyVolatility: 0.1,
    path: ramp(0.05, HOUR, HOUR + 60 * minutes),
  });
  const rug = (secondsPerTrade: number): MarketOptions => ({
    pools: [THIN],
    secondsPerTrade,
    dailyVolatility: 0.3,
    path: ramp(0.05, HOUR, HOUR + 1),
  });
  const drift = (factor: number): MarketOptions => ({
    pools: [USUAL, THIN],
    secondsPerTrade: 60,
    dailyVolatility: 0.1,
    path: ramp(factor, 0, 86_400),
  });
  return [
    move("launch, 50x in an hour", [
      [launch(6), 700],
      [launch(12), 400],
      [launch(30), 200],
    ]),
    move("crash, 95 % in minutes", [
      [crash(6, 5), 1000],
      [crash(12, 10), 700],
      [crash(30, 3), 400],
    ]),
    move("rug pull", [
      [rug(6), 1000],
      [rug(30), 400],
    ]),
    move("slow drift", [
      [drift(3), 600],
      [drift(1 / 3), 600],
    ]),
    newPool(),
    rareTrades(),
  ];
}

/**
 * A token trades in a thin pool. Then a deep pool opens at another price, which becomes the token's price.
 */
function newPool(): OutlierCase {
  const variants = [0.5, 1.4, 3].flatMap((factor) =>
    SEEDS.map((seed) => {
      const options = { pools: [THIN], secondsPerTrade: 60, dailyVolatility: 0.1 };
      const market = new AmmMarket(seed + 8000 + 100 * factor, options);
      market.run(100);
      const pools = [DEEP, USUAL];
      const path = () => factor;
      const next = new AmmMarket(seed + 9000, {
        pools,
        secondsPerTrade: 12,
        dailyVolatility: 0.1,
        path,
        typicalShare: 0.0003,
      });
      next.continueFrom(market);
      next.run(300);
      return [...market.trades, ...next.trades];
    }),
  );
  return { name: "new deep pool, new price", kind: "move", variants };
}

/** One trade a day, by many wallets or by one, with large daily price moves. */
function rareTrades(): OutlierCase {
  const kinds = [
    { dailyVolatility: 0.1, wallets: 50 },
    { dailyVolatility: 0.25, wallets: 50 },
    { dailyVolatility: 0.15, wallets: 1 },
  ];
  const variants = kinds.flatMap((kind, place) =>
    SEEDS.map((seed) => {
      const options = { ...kind, pools: [DEAR], secondsPerTrade: 86_400 };
      const market = new AmmMarket(seed + 9100 + 10 * place, options);
      market.run(100);
      return market.trades;
    }),
  );
  return { name: "one trade a day", kind: "move", variants };
}

export function markets(): OutlierCase[] {
  const wild = (dailyVolatility: number, secondsPerTrade: number): MarketOptions => ({
    pools: [DEAR, THIN, USUAL],
    secondsPerTrade,
    dailyVolatility,
  });
  return [
    {
      ...move(
        "quiet markets",
        SETTINGS.map(({ market }) => [market, 400]),
      ),
      kind: "market",
    },
    {
      ...move("volatile market, fees of 0.3 and 1 %", [
        [wild(0.5, 12), 600],
        [wild(1, 6), 600],
        [wild(1, 60), 600],
      ]),
      kind: "market",
    },
  ];
}
