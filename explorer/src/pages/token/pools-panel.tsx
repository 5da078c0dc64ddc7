import { formatCount } from "../../format/number.ts";
import { formatFee, poolName, protocolName } from "../../format/pool.ts";
import { ROBUST_PRICE } from "../../queries/market/robust-price.ts";
import type { TokenPool, TokenPools } from "../../queries/token/token-pools.ts";
import { CopyRequest } from "../../ui/controls/copy-request.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Usd } from "../../ui/values/figures.tsx";
import { PoolLink, TokenMark } from "../../ui/values/links.tsx";
import { useTokenPools } from "./pool-options.ts";
import styles from "./token.module.css";
import { useToken } from "./token-search.ts";

const HEIGHT = 400;

const ALL_SWAPS = "All swaps in the pool, each counted once, whichever token pays";

export function PoolsPanel({ symbol }: { symbol: string }) {
  const { chain } = useToken();
  const query = useTokenPools();
  const pool_address = query.data?.pools.map(({ address }) => address) ?? [];
  const parameters = { chain, pool_address, price_type: ROBUST_PRICE };
  return (
    <Panel
      title={`Pools with ${symbol}`}
      actions={
        pool_address.length === 0 ? undefined : (
          <CopyRequest what="pools" request={{ method: "poolTvls", parameters }} />
        )
      }
    >
      <QueryContent query={query} height={HEIGHT}>
        {({ pools, count }) => (
          <>
            <Table
              label="Pools"
              columns={columnsOf(chain, pools)}
              rows={pools}
              keyOf={({ address }) => address}
              empty={`No pool of a known factory contains ${symbol}.`}
            />
            <p className={styles.foot}>{summaryText({ pools, count })}</p>
          </>
        )}
      </QueryContent>
    </Panel>
  );
}

function columnsOf(chain: string, pools: readonly TokenPool[]): readonly Column<TokenPool>[] {
  const volume = pools.reduce((sum, { volumeUsd }) => sum + (volumeUsd ?? 0), 0);
  return [
    { title: "Tokens", cell: (pool) => <PoolTokens chain={chain} pool={pool} /> },
    { title: "Protocol", cell: ({ protocol }) => protocolName(protocol) },
    { title: "Fee", align: "right", cell: ({ fee }) => formatFee(fee) },
    { title: "TVL", align: "right", cell: ({ tvlUsd }) => <Usd usd={tvlUsd} /> },
    {
      title: "Liquidity",
      hint: "Value of the cash side: a stablecoin or the wrapped native coin",
      align: "right",
      isMinor: true,
      cell: ({ liquidityUsd }) => <Usd usd={liquidityUsd} />,
    },
    {
      title: "24 h volume",
      hint: ALL_SWAPS,
      align: "right",
      cell: ({ volumeUsd }) => <Usd usd={volumeUsd} />,
    },
    {
      title: "24 h trades",
      hint: ALL_SWAPS,
      align: "right",
      cell: ({ trades }) => formatCount(trades),
    },
    {
      title: "Share",
      hint: "Of the 24 h volume of these pools",
      align: "right",
      cell: ({ volumeUsd }) => shareText(volumeUsd, volume),
    },
  ];
}

function PoolTokens({ chain, pool }: { chain: string; pool: TokenPool }) {
  return (
    <span className={styles.pair}>
      {pool.tokens.map(({ address, symbol }) => (
        <TokenMark key={address} address={address} symbol={symbol} size={20} />
      ))}
      <PoolLink chain={chain} address={pool.address}>
        {poolName(pool.tokens)}
      </PoolLink>
    </span>
  );
}

function shareText(part: number | null, whole: number): string {
  return part === null || whole === 0 ? "–" : `${((part / whole) * 100).toFixed(1)} %`;
}

function summaryText({ pools, count }: TokenPools): string {
  if (count === 1) return "The only pool, updated every 30 s.";
  if (count <= pools.length) return `All ${formatCount(count)} pools, updated every 30 s.`;
  return `${formatCount(pools.length)} of ${formatCount(count)} pools: the most traded of the last 24 hours, then the oldest.`;
}
