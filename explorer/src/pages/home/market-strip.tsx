import { skipToken, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatCount, UNKNOWN } from "../../format/number.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { marketQuery } from "../../queries/market/market.ts";
import { ErrorNotice } from "../../ui/feedback/notice.tsx";
import { Stat } from "../../ui/layout/stat.tsx";
import { Age, Usd } from "../../ui/values/figures.tsx";
import { BlockLink } from "../../ui/values/links.tsx";
import styles from "./market-strip.module.css";

/** Which swaps count twice where all trades of a chain are counted. */
export const DOUBLE_COUNT_HINT =
  "A swap in which no side is cash, or both are, is a trade of each of its tokens.";

const DAY_HINT = `Of all trades of the last 24 hours. ${DOUBLE_COUNT_HINT}`;

/** A chain's figures in one line: how far it is indexed, what is there, and what was traded in 24 hours. */
export function MarketStrip({ chain, until }: { chain: string | null; until: number | undefined }) {
  const status = useChainStatus(chain);
  const isKnown = chain !== null && until !== undefined;
  const asked = marketQuery(chain ?? "", until ?? 0);
  const { data: market, error, refetch } = useQuery(isKnown ? asked : { ...asked, queryFn: skipToken });
  return (
    <>
      <dl className={styles.strip}>
        <Stat name="Newest block">
          <Newest chain={chain} block={status?.indexed_block} time={status?.indexed_timestamp} />
        </Stat>
        <Stat name="Behind the head" hint="Blocks of the chain that are not indexed yet">
          {status?.lag_blocks == null
            ? UNKNOWN
            : `${formatCount(status.lag_blocks)} ${status.lag_blocks === 1 ? "block" : "blocks"}`}
        </Stat>
        <Stat name="Final up to" hint="No reorg takes back blocks up to this one">
          <Block chain={chain} block={status?.finalized_block} />
        </Stat>
        <Stat name="Volume 24 h" hint={DAY_HINT}>
          <Usd usd={market?.volume_usd} />
        </Stat>
        <Stat name="Trades 24 h" hint={DAY_HINT}>
          {formatCount(market?.trades)}
        </Stat>
        <Stat name="Traders 24 h">{formatCount(market?.traders)}</Stat>
        <Stat name="Blocks">{formatCount(status?.rows.blocks)}</Stat>
        <Stat name="Trades" hint={`All that are indexed. ${DOUBLE_COUNT_HINT}`}>
          {formatCount(status?.rows.dex_trades)}
        </Stat>
        <Stat name="Tokens">{formatCount(status?.rows.token_metadata)}</Stat>
        <Stat name="Pools">{formatCount(status?.rows.pool_metadata)}</Stat>
      </dl>
      {error === null ? null : <ErrorNotice error={error} retry={() => void refetch()} />}
    </>
  );
}

type Block = number | null | undefined;

function Newest({ chain, block, time }: { chain: string | null; block: Block; time: Block }): ReactNode {
  return (
    <>
      <Block chain={chain} block={block} />
      {time == null ? null : (
        <span className={styles.age}>
          {" "}
          <Age timestamp={time} />
        </span>
      )}
    </>
  );
}

function Block({ chain, block }: { chain: string | null; block: Block }): ReactNode {
  return chain === null || block == null ? UNKNOWN : <BlockLink chain={chain} number={block} />;
}
