import type { PoolTvl } from "@quarry/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { shortHex } from "../../format/hex.ts";
import { tokenName } from "../../format/pool.ts";
import { type Pool, poolQuery, poolTvlQuery, tradedTokensQuery } from "../../queries/pool/pool.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Page, useTitle } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { PoolCandles } from "./pool-candles.tsx";
import { PoolComposition } from "./pool-composition.tsx";
import { PoolFigures } from "./pool-figures.tsx";
import { PoolHead } from "./pool-head.tsx";
import { PoolHistory } from "./pool-history.tsx";
import { type Legs, tradedTokenByCash, tradedTokenByTrades } from "./pool-legs.ts";
import styles from "./pool-page.module.css";
import { PoolTrades } from "./pool-trades.tsx";

const HEIGHT = 900;

export function PoolPage() {
  const { chain, address } = useParams({ from: "/$chain/pool/$address" });
  const pool = useQuery(poolQuery(chain, address));
  // Asked at once, not only when the pool is known.
  useQuery(poolTvlQuery(chain, address));
  useTitle(`Pool ${shortHex(address)} · Quarry`);
  return (
    <QueryContent query={pool} height={HEIGHT}>
      {(known) =>
        known === null ? (
          <UnknownPool chain={chain} address={address} />
        ) : (
          <KnownPool key={address} pool={known} />
        )
      }
    </QueryContent>
  );
}

function KnownPool({ pool }: { pool: Pool }) {
  const tvl = useQuery(poolTvlQuery(pool.chain, pool.address));
  const legs = useLegs(pool, tvl.data);
  return (
    <Page>
      {legs === null ? null : <NamedPage legs={legs} />}
      <PoolHead pool={pool} legs={legs} isOrdered={legs !== null || tvl.error !== null} />
      <PoolFigures pool={pool} tvl={tvl} legs={legs} />
      <div className={styles.pair}>
        <PoolCandles pool={pool} legs={legs} />
        <PoolComposition pool={pool} tvl={tvl} />
      </div>
      <PoolHistory pool={pool} tvl={tvl.data ?? null} />
      <PoolTrades pool={pool} legs={legs} />
    </Page>
  );
}

function NamedPage({ legs }: { legs: Legs }) {
  useTitle(`${tokenName(legs.token)} / ${tokenName(legs.quote)} · Quarry`);
  return null;
}

/** Null until it is known which token is bought and sold. */
function useLegs(pool: Pool, tvl: PoolTvl | null | undefined): Legs | null {
  const newest = tvl?.timestamp ?? null;
  const byCash = tradedTokenByCash(tvl ?? null);
  const { data: traded } = useQuery({
    ...tradedTokensQuery(pool.chain, pool.address, newest ?? 0),
    enabled: byCash === null && newest !== null,
    placeholderData: keepPreviousData,
  });
  const isKnown = tvl !== undefined && (byCash !== null || newest === null || traded !== undefined);
  const place = byCash ?? tradedTokenByTrades(pool, traded ?? []);
  return useMemo(() => {
    const [first, second] = pool.tokens;
    if (!isKnown) return null;
    return place === 0 ? { token: first, quote: second, newest } : { token: second, quote: first, newest };
  }, [pool, isKnown, place, newest]);
}

function UnknownPool({ chain, address }: { chain: string; address: string }) {
  const params = { chain, address };
  return (
    <Panel title="No such pool">
      <Notice>
        The index of {chain} knows of no pool at <code>{address}</code>. Only pools that a known factory
        created are here. See this address as a{" "}
        <Link to="/$chain/token/$address" params={params}>
          token
        </Link>{" "}
        or a{" "}
        <Link to="/$chain/wallet/$address" params={params}>
          wallet
        </Link>
        , or search above.
      </Notice>
    </Panel>
  );
}
