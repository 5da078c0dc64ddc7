import type { ChainStatus } from "@quarry/sdk";
import { skipToken, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatCount, UNKNOWN } from "../../format/number.ts";
import { formatAges } from "../../format/time.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { marketQuery } from "../../queries/market/market.ts";
import { ErrorNotice } from "../../ui/feedback/notice.tsx";
import { Stat } from "../../ui/layout/stat.tsx";
import { Age, Usd } from "../../ui/values/figures.tsx";
import { BlockLink } from "../../ui/values/links.tsx";
import styles from "./market-strip.module.css";

/** Tooltip that explains which swaps count twice in a chain's figures. */
export const DOUBLE_COUNT_HINT =
  "A swap without a cash token, or between two cash tokens, counts as a trade of each token.";

const DAY_HINT = `All trades of the last 24 hours. ${DOUBLE_COUNT_HINT}`;

/** A chain's indexing progress, totals and 24-hour trading in one line. */
export function MarketStrip({ chain, until }: { chain: string | null; until: number | undefined }) {
  const status = useChainStatus(chain);
  const isKnown = chain !== null && until !== undefined;
  const options = marketQuery(chain ?? "", until ?? 0);
  const { data: market, error, refetch } = useQuery(isKnown ? options : { ...options, queryFn: skipToken });
  return (
    <>
      <dl className={styles.strip}>
        <Stat name="Latest block">
          <NewestBlock chain={chain} block={status?.indexed_block} time={status?.indexed_timestamp} />
        </Stat>
        <Stat name="Behind head" hint="Blocks of the chain that are not indexed yet">
          {status?.lag_blocks == null
            ? UNKNOWN
            : `${formatCount(status.lag_blocks)} ${status.lag_blocks === 1 ? "block" : "blocks"}`}
        </Stat>
        <Freshness age={status?.block_age} />
        <Stat name="Final block" hint="Blocks up to this one cannot be reorganized">
          <Block chain={chain} block={status?.finalized_block} />
        </Stat>
        <Stat name="24 h volume" hint={DAY_HINT}>
          <Usd usd={market?.volume_usd} />
        </Stat>
        <Stat name="24 h trades" hint={DAY_HINT}>
          {formatCount(market?.trades)}
        </Stat>
        <Stat name="24 h traders">{formatCount(market?.traders)}</Stat>
        <Stat name="Blocks">{formatCount(status?.rows.blocks)}</Stat>
        <Stat name="Trades" hint={`All indexed trades. ${DOUBLE_COUNT_HINT}`}>
          {formatCount(status?.rows.dex_trades)}
        </Stat>
        <Stat name="Tokens">{formatCount(status?.rows.token_metadata)}</Stat>
        <Stat name="Pools">{formatCount(status?.rows.pool_metadata)}</Stat>
      </dl>
      {error === null ? null : <ErrorNotice error={error} retry={() => void refetch()} />}
    </>
  );
}

type Optional = number | null | undefined;

type BlockAge = ChainStatus["block_age"];

/** Shows how old new blocks are when pages receive them: the median and the 95th percentile. */
function Freshness({ age }: { age: BlockAge | undefined }): ReactNode {
  const newest = age?.sent ?? age?.committed;
  const stages = [`seen ${formatAges(age?.seen)}`, `stored ${formatAges(age?.committed)}`];
  const hint = `Age of new blocks when they were sent to clients: median and 95th percentile; ${stages.join(", ")}`;
  return (
    <Stat name="Freshness" hint={hint}>
      {formatAges(newest)}
    </Stat>
  );
}

function NewestBlock({
  chain,
  block,
  time,
}: {
  chain: string | null;
  block: Optional;
  time: Optional;
}): ReactNode {
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

function Block({ chain, block }: { chain: string | null; block: Optional }): ReactNode {
  return chain === null || block == null ? UNKNOWN : <BlockLink chain={chain} number={block} />;
}
