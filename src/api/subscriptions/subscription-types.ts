import type { Hex } from "../../lib/hex.ts";
import { ADDRESS } from "../../reads/values/hex-values.ts";
import { DOUBLE, integer } from "../../reads/values/number-values.ts";
import type { DescribedKind } from "../../reads/values/value-kind.ts";
import type { Condition, EventSubscription, EventTable } from "../../streams/subscription.ts";
import { INTERVAL } from "../parameters/kinds/durations.ts";
import { addressList, POOL_OR_ALL, poolList } from "../parameters/kinds/lists.ts";
import { BOOLEAN, choice } from "../parameters/kinds/words.ts";
import {
  derived,
  InvalidParameter,
  optional,
  type Parameters,
  required,
  type Values,
} from "../parameters/parameter.ts";
import { priceTypeParameter } from "../parameters/shared-parameters.ts";
import type { StateQuery } from "./state-query.ts";

/** Maximum numbers of addresses or pools in one filter: in a body, and in a URL, which has room for fewer. */
const MAX_ADDRESSES = 1_000;
const MAX_ON_GET = 150;

/**
 * Maximum number of pools in a subscription of the type `pool_state`. It is low, because each pool's state is
 * computed again for every block.
 */
const MAX_POOL_STATES = 100;

/** Maximum number of candles in the first snapshot. */
const MAX_HISTORY = 1_000;

/** The data of a subscription: rows as they are committed, or values that change. */
export type Subscribed =
  | { events: Omit<EventSubscription, "id"> }
  | { states: readonly StateQuery[]; history: number };

/** A type of subscription, declared once: its validation and documentation are derived from it. */
interface SubscriptionType<P extends Parameters = Parameters> {
  /** Completes "data of the frames". */
  doc: string;
  parameters: P;
  /** @throws InvalidParameter if the filters contradict each other */
  read(values: Values<P>): Subscribed;
}

function type<const P extends Parameters>(declared: SubscriptionType<P>): SubscriptionType {
  return declared as unknown as SubscriptionType;
}

const addresses = addressList({ max: MAX_ADDRESSES, maxOnGet: MAX_ON_GET });
const pools = poolList({ max: MAX_ADDRESSES, maxOnGet: MAX_ON_GET });

const USD: DescribedKind<number> = {
  allowed: () => "a number of US dollars, 0 or more",
  parse(given) {
    const value = Number(DOUBLE.parse(given) ?? Number.NaN);
    return value >= 0 ? value : undefined;
  },
  schema: { type: "number", minimum: 0 },
};

const NO_VALUE_IN_USD = "no minimum, because these transfers have no value in USD";

export const SUBSCRIPTION_TYPES: Record<string, SubscriptionType> = {
  trades: type({
    doc: "new rows of dex_trades",
    parameters: {
      token_address: derived(addresses, "only trades of these tokens"),
      pool_address: derived(pools, "only trades in these pools"),
      trader_address: derived(addresses, "only trades of these wallets (senders of the transactions)"),
      min_usd: derived(
        USD,
        "only trades worth at least this, USD; trades without a known value are left out",
      ),
      accepted: optional(
        BOOLEAN,
        false,
        "true: only trades that the robust price accepts (no outliers, and worth 1 USD or more)",
      ),
    },
    read: ({ token_address, pool_address, trader_address, min_usd, accepted }) =>
      rowsOf(
        "dex_trades",
        { token_address, pool_address, trader_address },
        {
          minUsd: min_usd ?? null,
          required: accepted ? "price_token_usd_robust_tick_1" : null,
        },
      ),
  }),
  transfers: type({
    doc: "new rows of erc20 or erc721",
    parameters: {
      standard: optional(choice(["erc20", "erc721"]), "erc20", "token standard of the transfers"),
      token_address: derived(addresses, "only transfers of these tokens"),
      wallet_address: derived(addresses, "only transfers from or to these addresses"),
      from_address: derived(addresses, "only transfers from these addresses"),
      to_address: derived(addresses, "only transfers to these addresses"),
      min_usd: derived(
        USD,
        "only erc20 transfers worth at least this, USD; those without a known value are left out",
      ),
    },
    read({ standard, wallet_address: wallets, min_usd: minUsd = null, ...listed }) {
      if (standard === "erc721" && minUsd !== null)
        throw new InvalidParameter("min_usd", String(minUsd), NO_VALUE_IN_USD, "for standard=erc721");
      return rowsOf(standard, listed, {
        minUsd,
        more:
          wallets === undefined
            ? []
            : [{ columns: ["from_address", "to_address"], values: new Set(wallets) }],
      });
    },
  }),
  pools: type({
    doc: "pools that are new to the service: rows of pool_metadata",
    parameters: {
      token_address: derived(addresses, "only pools whose first or second token is one of these"),
    },
    read: ({ token_address: tokens }) =>
      rowsOf(
        "pool_metadata",
        {},
        {
          more:
            tokens === undefined
              ? []
              : [{ columns: ["token_0_address", "token_1_address"], values: new Set(tokens) }],
        },
      ),
  }),
  tokens: type({
    doc: "tokens that are new to the service: rows of token_metadata",
    parameters: {},
    read: () => rowsOf("token_metadata", {}, {}),
  }),
  blocks: type({
    doc: "rows of blocks",
    parameters: {},
    read: () => rowsOf("blocks", {}, {}),
  }),
  prices: type({
    doc: "latest prices that changed, as in /v1/price-api/batch-latest-token-prices",
    parameters: {
      token_address: required(addresses, "tokens; duplicates count once"),
      price_type: priceTypeParameter("price_token_usd_robust_tick_1"),
    },
    read: ({ token_address: tokens, price_type: priceType }) => ({
      states: tokens.map((token) => ({ kind: "price", token, priceType })),
      history: 1,
    }),
  }),
  candles: type({
    doc: "candles that changed, as in /v1/price/historical/ohlc, each with `closed`",
    parameters: {
      token_address: required(ADDRESS, "token"),
      pool_address: optional(POOL_OR_ALL, "all", "pool whose trades are used; all: every pool"),
      interval: optional(INTERVAL, "1m", "length of a candle; candles are aligned to the unix epoch"),
      price_type: priceTypeParameter("price_token_usd_robust_tick_1"),
      history: optional(
        integer({ min: 1, max: MAX_HISTORY }),
        1,
        "number of candles in the first snapshot, including the newest",
      ),
    },
    read: ({ token_address: token, pool_address: pool, interval, price_type: priceType, history }) => ({
      states: [{ kind: "candles", token, pool, interval, priceType }],
      history,
    }),
  }),
  pool_state: type({
    doc: "balances and value of pools that changed, as in /v1/market-api/batch-latest-pool-tvl",
    parameters: {
      pool_address: required(
        poolList({ max: MAX_POOL_STATES, maxOnGet: MAX_POOL_STATES }),
        "pools; duplicates count once",
      ),
    },
    read: ({ pool_address: listed }) => ({
      states: listed.map((pool) => ({ kind: "pool", pool })),
      history: 1,
    }),
  }),
};

interface RowOptions {
  minUsd?: number | null;
  required?: string | null;
  more?: readonly Condition[];
}

/** @param listed by column, the accepted values; undefined for any value */
function rowsOf(
  table: EventTable,
  listed: Record<string, readonly Hex[] | undefined>,
  { minUsd = null, required = null, more = [] }: RowOptions,
): Subscribed {
  const conditions = Object.entries(listed).flatMap(([column, values]) =>
    values === undefined ? [] : [{ columns: [column], values: new Set(values) }],
  );
  return { events: { table, conditions: [...conditions, ...more], minUsd, required } };
}
