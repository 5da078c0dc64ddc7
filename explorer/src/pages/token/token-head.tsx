import type { AllTimePrice, LatestPrice } from "@quarry/sdk";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { formatCount, formatUsd, UNKNOWN } from "../../format/number.ts";
import { tokenName } from "../../format/pool.ts";
import { formatTime, isoTime } from "../../format/time.ts";
import { visibleText } from "../../format/visible-text.ts";
import { useRollbacks } from "../../queries/chain/use-chain.ts";
import { LOOKBACKS, type Lookback } from "../../queries/market/market.ts";
import { spamQuery } from "../../queries/token/spam.ts";
import { spamText } from "../../queries/token/spam-text.ts";
import {
  type TokenIdentity,
  tokenAllTimeQuery,
  tokenChangesQuery,
  tokenDayQuery,
} from "../../queries/token/token.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Stat, Stats } from "../../ui/layout/stat.tsx";
import { Ago, Change, Price, Usd } from "../../ui/values/figures.tsx";
import { PoolLink, TokenMark, TransactionLink } from "../../ui/values/links.tsx";
import styles from "./token.module.css";
import { useToken } from "./token-search.ts";

interface TokenHeadProps {
  token: NonNullable<TokenIdentity["token"]>;
  isPool: boolean;
  price: UseQueryResult<LatestPrice | undefined>;
}

export function TokenHead({ token, isPool, price }: TokenHeadProps) {
  const { chain, address } = useToken();
  const name = tokenName({ address, symbol: token.symbol });
  return (
    <section className={styles.head} aria-label="Token">
      <div className={styles.identity}>
        <TokenMark address={address} symbol={token.symbol} size={40} />
        <div className={styles.title}>
          <h1>
            {name} <span className={styles.name}>{visibleText(token.name ?? "")}</span>
          </h1>
          <div className={styles.address}>
            <code>{shortHex(address)}</code>
            <CopyButton text={address} what="address" />
            {isPool ? (
              <PoolLink chain={chain} address={address}>
                Pool shares: view pool
              </PoolLink>
            ) : null}
            {token.decimals === null ? <span>No decimals, so no prices</span> : null}
            <SpamBadge />
          </div>
        </div>
      </div>
      <CurrentPrice price={price} />
      <Figures name={name} />
    </section>
  );
}

/** Marks a token that is probably spam. Lists hide it, but its page always works. */
function SpamBadge() {
  const { chain, address } = useToken();
  const reasons = useQuery(spamQuery(chain, [address], useRollbacks(chain))).data?.get(address);
  if (reasons === undefined) return null;
  return <Badge tone="warn">Probably spam: {spamText(reasons)}</Badge>;
}

function CurrentPrice({ price }: { price: TokenHeadProps["price"] }) {
  const { chain } = useToken();
  const latest = price.data;
  return (
    <div className={styles.price}>
      <strong data-testid="price">
        <Price usd={latest?.price_usd} />
      </strong>
      <span className={styles.of}>
        {priceNote(price)}
        {latest?.timestamp == null || latest.transaction_hash === null ? null : (
          <>
            from a trade <Ago timestamp={latest.timestamp} />,{" "}
            <TransactionLink chain={chain} hash={latest.transaction_hash} />
          </>
        )}
      </span>
    </div>
  );
}

function priceNote({ data, error }: TokenHeadProps["price"]): string {
  if (data === undefined) return error === null ? "" : `Price unavailable: ${error.message}`;
  return data.price_usd === null ? "No robust price yet" : "";
}

const PERIODS: Record<Lookback, string> = { "1h": "1 h", "24h": "24 h", "7d": "7 d" };

function Figures({ name }: { name: string }) {
  const { chain, address } = useToken();
  const changes = useQuery(tokenChangesQuery(chain, address));
  const day = useQuery(tokenDayQuery(chain, address));
  const allTime = useQuery(tokenAllTimeQuery(chain, address));
  const hint = `Trades of ${name} only. A swap in which ${name} pays for another token counts as a trade of the other token. The list of pools counts all swaps.`;
  return (
    <div className={styles.figures}>
      <Stats>
        {LOOKBACKS.map((lookback) => (
          <Stat
            key={lookback}
            name={PERIODS[lookback]}
            hint={`Change in the robust price over ${PERIODS[lookback]}`}
          >
            <Change share={changes.data?.find((each) => each.lookback === lookback)?.share} />
          </Stat>
        ))}
        <Stat name="24 h volume" hint={hint}>
          <Usd usd={day.data?.trades === 0 ? 0 : day.data?.volume_usd} />
        </Stat>
        <Stat name="24 h trades" hint={hint}>
          {formatCount(day.data?.trades)}
        </Stat>
        <Stat name="24 h traders" hint={hint}>
          {formatCount(day.data?.traders)}
        </Stat>
        <Extreme name="All-time high" price={allTime.data} at="high" />
        <Extreme name="All-time low" price={allTime.data} at="low" />
        <Stat name="First trade" hint="First trade with a robust price">
          {allTime.data?.timestamp_open == null ? UNKNOWN : <Day timestamp={allTime.data.timestamp_open} />}
        </Stat>
      </Stats>
    </div>
  );
}

interface ExtremeProps {
  name: string;
  price: AllTimePrice | undefined;
  at: "high" | "low";
}

/** An all-time high or low with its date and the change since then. */
function Extreme({ name, price, at }: ExtremeProps) {
  const extreme = price?.[`price_${at}`] ?? null;
  const timestamp = price?.[`timestamp_${at}`] ?? null;
  const now = price?.price_close ?? null;
  return (
    <Stat name={name} hint="Of robust prices, with the change since then">
      {formatUsd(extreme)}{" "}
      {timestamp === null ? null : (
        <span className={styles.since}>
          <Change share={extreme && now ? now / extreme - 1 : null} /> <Day timestamp={timestamp} />
        </span>
      )}
    </Stat>
  );
}

function Day({ timestamp }: { timestamp: number }) {
  const time = formatTime(timestamp);
  return (
    <time dateTime={isoTime(timestamp)} title={`${time} UTC`}>
      {time.slice(0, 10)}
    </time>
  );
}
