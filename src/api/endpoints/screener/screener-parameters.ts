import {
  MAX_CANDIDATES,
  SCREEN_SORTS,
  SCREEN_WINDOW_NAMES,
  SCREEN_WINDOWS,
  type ScreenQuery,
} from "../../../reads/screener/screen-query.ts";
import { decimal, integer } from "../../../reads/values/number-values.ts";
import { INTERVAL, printDuration } from "../../parameters/kinds/durations.ts";
import { addressList } from "../../parameters/kinds/lists.ts";
import { BOOLEAN, CHAIN, choice, shortText } from "../../parameters/kinds/words.ts";
import { derived, InvalidParameter, optional, type Values } from "../../parameters/parameter.ts";
import { MAX_ADDRESSES_ON_GET } from "../../parameters/shared-parameters.ts";

/**
 * Maximum number of rows, as many as a page shows. Figures that are computed only for listed rows take most
 * of the engine's time.
 */
const MAX_ROWS = 100;

/** Maximum number of tokens to which a list can be restricted. */
const MAX_TOKENS = 100;

/** Maximum length of a protocol's name. */
const MAX_PROTOCOL = 40;

/** Limits beyond which no value is plausible: 10^18 USD, and a price that rose by a factor of 10^10. */
const USD = decimal({ min: 0, max: 1e18 });
const PERCENT = decimal({ min: -100, max: 1e12 });
const COUNT = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

export const SCREENER_PARAMETERS = {
  kind: optional(choice(["token", "pool"]), "token", "what to list"),
  chain: derived(CHAIN, "chain to list; by default all chains that are served"),
  window: optional(
    choice(SCREEN_WINDOW_NAMES),
    "24h",
    "period whose trades are included, up to the newest block",
  ),
  sortby: optional(choice(SCREEN_SORTS), "volume_usd", "field to sort by; nulls come last"),
  order: optional(
    choice(["desc", "asc"]),
    "desc",
    "desc: largest or newest first; asc: smallest or oldest first",
  ),
  size: optional(integer({ min: 1, max: MAX_ROWS }), 50, "rows per page"),
  page: optional(integer({ min: 1, max: MAX_CANDIDATES }), 1, "page of the list"),
  min_volume_usd: derived(USD, "minimum volume in the window"),
  max_volume_usd: derived(USD, "maximum volume in the window"),
  min_trades: derived(COUNT, "minimum number of trades in the window"),
  max_trades: derived(COUNT, "maximum number of trades in the window"),
  min_traders: derived(COUNT, "minimum number of distinct traders in the window"),
  max_traders: derived(COUNT, "maximum number of distinct traders in the window"),
  min_price_change_pct: derived(PERCENT, "minimum price change over the window, in percent"),
  max_price_change_pct: derived(PERCENT, "maximum price change over the window, in percent"),
  min_liquidity_usd: derived(USD, "minimum liquidity; leaves out rows whose liquidity is unknown"),
  max_liquidity_usd: derived(USD, "maximum liquidity; leaves out rows whose liquidity is unknown"),
  min_age: derived(INTERVAL, "created at least this long before the newest block"),
  max_age: derived(
    INTERVAL,
    "created at most this long before the newest block; includes tokens or pools that have not been traded yet",
  ),
  protocol: derived(
    shortText(1, MAX_PROTOCOL),
    "pools of this protocol, such as uniswap_v3; for tokens, only trades in these pools are included",
  ),
  token_address: derived(
    addressList({ max: MAX_TOKENS, maxOnGet: MAX_ADDRESSES_ON_GET }),
    "only these tokens, or only pools with at least one of them",
  ),
  show_spam: optional(BOOLEAN, false, "true: include spam tokens and their pools"),
  exclude_wash: optional(BOOLEAN, false, "true: leave out the trades of pools on days with wash trades"),
} as const;

export type ScreenerValues = Values<typeof SCREENER_PARAMETERS>;

export function screenQuery(values: ScreenerValues): ScreenQuery {
  const { kind, window, sortby: sort, order, size, page, protocol, token_address: tokens } = values;
  return {
    ...{ kind, sort, order, windowSeconds: SCREEN_WINDOWS[window] },
    filters: {
      volume_usd: range("volume_usd", values.min_volume_usd, values.max_volume_usd),
      trades: range("trades", values.min_trades, values.max_trades),
      traders: range("traders", values.min_traders, values.max_traders),
      price_change_pct: range("price_change_pct", values.min_price_change_pct, values.max_price_change_pct),
      liquidity_usd: range("liquidity_usd", values.min_liquidity_usd, values.max_liquidity_usd),
    },
    age: range("age", values.min_age, values.max_age, printDuration),
    protocol: protocol?.toLowerCase() ?? null,
    tokens: tokens ?? null,
    ...{ showsSpam: values.show_spam, excludesWash: values.exclude_wash, rows: page * size },
  };
}

function range(
  name: string,
  min: number | undefined,
  max: number | undefined,
  print: (value: number) => string = String,
) {
  if (min !== undefined && max !== undefined && min > max)
    throw new InvalidParameter(`max_${name}`, print(max), `at least min_${name} (${print(min)})`);
  return { min: min ?? null, max: max ?? null };
}
