import type { PoolTvl } from "@quarry/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { shortHex } from "../../format/hex.ts";
import { poolName } from "../../format/pool.ts";
import { useRollbacks } from "../../queries/chain/use-chain.ts";
import { type Pool, poolQuery, poolTvlQuery, tradedTokensQuery } from "../../queries/pool/pool.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Page, useTitle } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { PoolFigures } from "./head/pool-figures.tsx";
import { PoolHead } from "./head/pool-head.tsx";
import { PoolHook } from "./head/pool-hook.tsx";
import { PoolCandles } from "./pool-candles.tsx";
import {
  chosenToken,
  hasManyTokens,
  type Legs,
  namedTokens,
  tradedTokenByCash,
  tradedTokenByTrades,
} from "./pool-legs.ts";
import styles from "./pool-page.module.css";
import { usePoolChoices } from "./pool-search.ts";
import { PoolTrades } from "./pool-trades.tsx";
import { PoolComposition } from "./value/pool-composition.tsx";
import { PoolHistory } from "./value/pool-history.tsx";

const HEIGHT = 900;

export function PoolPage() {
  const { chain, address } = useParams({ from: "/$chain/pool/$address" });
  const pool = useQuery(poolQuery(chain, address));
  // Starts this request without waiting for the pool.
  useQuery(poolTvlQuery(chain, address));
  useTitle(`Pool ${shortHex(address)} · Quarry`);
  return (
    <QueryContent query={pool} height={HEIGHT}>
      {(loaded) =>
        loaded === null ? (
          <UnknownPool chain={chain} address={address} />
        ) : (
          <LoadedPool key={address} pool={loaded} />
        )
      }
    </QueryContent>
  );
}

function LoadedPool({ pool }: { pool: Pool }) {
  const tvl = useQuery(poolTvlQuery(pool.chain, pool.address));
  const legs = useLegs(pool, tvl.data);
  return (
    <Page>
      {legs === null ? null : <PageTitle pool={pool} legs={legs} />}
      <PoolHead pool={pool} legs={legs} isOrdered={legs !== null || tvl.error !== null} />
      <PoolFigures pool={pool} tvl={tvl} legs={legs} />
      <div className={styles.pair}>
        <PoolCandles pool={pool} legs={legs} />
        <PoolComposition pool={pool} tvl={tvl} />
      </div>
      <PoolHistory pool={pool} tvl={tvl.data ?? null} />
      {pool.hook === null ? null : <PoolHook pool={pool} hook={pool.hook} />}
      <PoolTrades pool={pool} legs={legs} />
    </Page>
  );
}

function PageTitle({ pool, legs }: { pool: Pool; legs: Legs }) {
  useTitle(`${poolName(namedTokens(pool, legs))} · Quarry`);
  return null;
}

/** Returns the pool's tokens by their role; null until the traded token is known. */
function useLegs(pool: Pool, tvl: PoolTvl | null | undefined): Legs | null {
  const [{ token: chosen }] = usePoolChoices();
  const newest = tvl?.timestamp ?? null;
  const indexByCash = hasManyTokens(pool) ? null : tradedTokenByCash(tvl ?? null);
  const rollbacks = useRollbacks(pool.chain);
  const { data: traded } = useQuery({
    ...tradedTokensQuery(pool, newest ?? 0, rollbacks),
    enabled: indexByCash === null && newest !== null,
    placeholderData: keepPreviousData,
  });
  const isKnown = tvl !== undefined && (indexByCash !== null || newest === null || traded !== undefined);
  return useMemo(() => {
    if (!isKnown) return null;
    if (hasManyTokens(pool)) return { token: chosenToken(pool, chosen, traded ?? []), quote: null, newest };
    const [first, second] = pool.tokens;
    const index = indexByCash ?? tradedTokenByTrades(pool, traded ?? []);
    return index === 0 ? { token: first, quote: second, newest } : { token: second, quote: first, newest };
  }, [pool, isKnown, indexByCash, traded, chosen, newest]);
}

function UnknownPool({ chain, address }: { chain: string; address: string }) {
  const params = { chain, address };
  return (
    <Panel title="Pool not found">
      <Notice>
        No pool at <code>{address}</code> is indexed on {chain}. Only pools created by known factories are
        indexed. View this address as a{" "}
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
