import type { PoolTvl } from "@quarry/sdk";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { formatCount, formatPrice, UNKNOWN } from "../../../format/number.ts";
import { tokenName } from "../../../format/pool.ts";
import { type DayTrades, MAX_PAIRS, type Pool, poolDayQuery } from "../../../queries/pool/pool.ts";
import { poolTradesQuery } from "../../../queries/pool/pool-trades.ts";
import { swapSides, swapTotals } from "../../../queries/pool/swap-totals.ts";
import { ErrorNotice } from "../../../ui/feedback/notice.tsx";
import { Stat, Stats } from "../../../ui/layout/stat.tsx";
import { Ago, Price, Usd } from "../../../ui/values/figures.tsx";
import { hasManyTokens, type Legs, namedTokens } from "../pool-legs.ts";
import styles from "../pool-page.module.css";

interface PoolFiguresProps {
  pool: Pool;
  tvl: UseQueryResult<PoolTvl | null>;
  /** Null until known. */
  legs: Legs | null;
}

/** The pool's prices, value and 24-hour trading. */
export function PoolFigures({ pool, tvl, legs }: PoolFiguresProps) {
  if (tvl.data === undefined && tvl.error !== null) {
    return <ErrorNotice error={tvl.error} retry={() => void tvl.refetch()} />;
  }
  return (
    <div className={styles.figures}>
      <Stats>
        {hasManyTokens(pool) ? null : <Prices pool={pool} tvl={tvl.data ?? null} legs={legs} />}
        <Stat name="TVL" hint="Value of all balances at the tokens' current robust prices">
          <Usd usd={tvl.data?.tvl_usd} />
        </Stat>
        <Stat
          name="Liquidity"
          hint="Value of the cash side: the stablecoin or, without one, the wrapped native coin"
        >
          <Usd usd={tvl.data?.liquidity_usd} />
        </Stat>
        <Day pool={pool} legs={legs} />
        <Stat name="Latest trade">
          {legs === null || legs.newest === null ? UNKNOWN : <Ago timestamp={legs.newest} />}
        </Stat>
      </Stats>
    </div>
  );
}

/** Shows the rate of the latest trade in this pool. US dollar prices are robust prices across all pools. */
function Prices({ pool, tvl, legs }: { pool: Pool; tvl: PoolTvl | null; legs: Legs | null }) {
  const [token = pool.tokens[0], quote = pool.tokens[1]] = namedTokens(pool, legs);
  const rate = useRate(pool, legs);
  return (
    <>
      <PriceStat token={token} other={quote} rate={rate} pool={pool} tvl={tvl} />
      <PriceStat token={quote} other={token} rate={rate === null ? null : 1 / rate} pool={pool} tvl={tvl} />
    </>
  );
}

interface PriceStatProps {
  token: Legs["token"];
  other: Legs["token"];
  rate: number | null;
  pool: Pool;
  tvl: PoolTvl | null;
}

function PriceStat({ token, other, rate, pool, tvl }: PriceStatProps) {
  const isFirst = token.address === pool.tokens[0].address;
  const usd = isFirst ? tvl?.token_0_price_usd : tvl?.token_1_price_usd;
  return (
    <Stat
      name={`1 ${tokenName(token)}`}
      hint="In US dollars: the robust price. In the other token: the rate of the latest trade in this pool"
    >
      <Price usd={usd} />
      <span className={styles.rate} title={rate === null ? undefined : String(rate)}>
        {formatPrice(rate)} {tokenName(other)}
      </span>
    </Stat>
  );
}

/** Returns the number of quote tokens paid per token in the latest trade; null if its amounts are unknown. */
function useRate(pool: Pool, legs: Legs | null): number | null {
  const { data } = useQuery({
    ...poolTradesQuery({
      chain: pool.chain,
      pool: pool.address,
      tokens: legs === null ? [] : [legs.token.address],
      side: "all",
      minUsd: 0,
      newest: legs?.newest ?? 0,
    }),
    enabled: legs?.newest != null,
  });
  const amount = data?.[0]?.amount_token ?? 0;
  const paid = data?.[0]?.amount_quote ?? 0;
  return amount > 0 && paid > 0 ? paid / amount : null;
}

function Day({ pool, legs }: { pool: Pool; legs: Legs | null }) {
  const { data: pairs } = useQuery(poolDayQuery(pool));
  const day = pairs === undefined ? null : swapTotals(pairs);
  return (
    <>
      <Stat name="24 h volume" hint={volumeHint(pairs)}>
        <Usd usd={day?.volumeUsd} />
      </Stat>
      <Stat name="24 h trades">
        {formatCount(day?.trades)}
        {hasManyTokens(pool) ? null : <span className={styles.rate}>{sidesText(pairs, legs)}</span>}
      </Stat>
    </>
  );
}

function volumeHint(pairs: readonly DayTrades[] | undefined): string {
  const rule = "Each swap counts once; swaps of unknown value are not included";
  if (pairs === undefined || pairs.length < MAX_PAIRS) return rule;
  return `${rule}. Only the ${formatCount(MAX_PAIRS)} token pairs with the highest volume are included`;
}

/** Formats the numbers of buys and sells of the traded token. */
function sidesText(pairs: readonly DayTrades[] | undefined, legs: Legs | null): string {
  if (pairs === undefined || legs === null) return UNKNOWN;
  const { buys, sells } = swapSides(pairs, legs.token.address);
  return `${formatCount(buys)} buys, ${formatCount(sells)} sells`;
}
