import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { formatUsd } from "../../format/number.ts";
import { nameOf } from "../../format/pool.ts";
import { secondsOf } from "../../format/time.ts";
import type { Pool } from "../../questions/pool.ts";
import {
  type PoolTrade,
  type PoolTradesChoice,
  poolTradesQuestion,
  poolTradesSql,
  TRADES_DAYS,
} from "../../questions/pool-trades.ts";
import { Select, SideChoice } from "../../ui/choice.tsx";
import { Age, Amount, Side, Usd } from "../../ui/figures.tsx";
import { TransactionLink, WalletLink } from "../../ui/links.tsx";
import { LiveTable } from "../../ui/live-table.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RequestCopy } from "../../ui/request-copy.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { Column } from "../../ui/table.tsx";
import { TradePrice } from "../../ui/trade-price.tsx";
import type { Legs } from "./legs.ts";
import styles from "./pool-trades.module.css";

const HEIGHT = 640;

const VALUES = ["0", "100", "1000", "10000", "100000"] as const;
const VALUE_OPTIONS = VALUES.map((value) => ({
  value,
  title: value === "0" ? "any value" : `from ${formatUsd(Number(value))}`,
}));

/** The newest trades in the pool, as they come. */
export function PoolTrades({ pool, legs }: { pool: Pool; legs: Legs | null }) {
  const [side, chooseSide] = useState<PoolTradesChoice["side"]>("all");
  const [minUsd, chooseMinUsd] = useState<(typeof VALUES)[number]>("0");
  const choice =
    legs?.newest == null
      ? null
      : {
          chain: pool.chain,
          pool: pool.address,
          token: legs.token.address,
          side,
          minUsd: Number(minUsd),
          newest: legs.newest,
        };
  return (
    <Panel
      title="Newest trades"
      actions={
        <>
          <SideChoice value={side} onChange={chooseSide} />
          <Select label="Value" options={VALUE_OPTIONS} value={minUsd} onChange={chooseMinUsd} />
          {choice === null ? null : (
            <RequestCopy what="trades" request={{ method: "sql", question: poolTradesSql(choice).sql }} />
          )}
        </>
      }
    >
      {legs === null ? (
        <Skeleton height={HEIGHT} />
      ) : choice === null ? (
        <Notice>Nobody has traded in this pool yet. The first trade will appear here.</Notice>
      ) : (
        <Trades choice={choice} legs={legs} />
      )}
    </Panel>
  );
}

function Trades({ choice, legs }: { choice: PoolTradesChoice; legs: Legs }) {
  const trades = useQuery({ ...poolTradesQuestion(choice), placeholderData: keepPreviousData });
  const columns = useMemo(() => columnsOf(choice.chain, legs), [choice.chain, legs]);
  return (
    <div className={styles.trades} data-awaited={trades.isPlaceholderData}>
      <LiveTable
        label="Newest trades in the pool"
        columns={columns}
        query={trades}
        subject={choice.pool}
        height={HEIGHT}
        empty={`No such trade in the ${TRADES_DAYS} days up to the pool's newest one. Choose other sides or values.`}
      />
    </div>
  );
}

function columnsOf(chain: string, { token, quote }: Legs): Column<PoolTrade>[] {
  return [
    { title: "Age", cell: ({ timestamp }) => <Age timestamp={secondsOf(timestamp)} /> },
    { title: "Side", cell: ({ side }) => <Side side={side} /> },
    { title: "Price", align: "right", cell: (trade) => <TradePrice trade={trade} /> },
    {
      title: nameOf(token),
      align: "right",
      cell: ({ amount_token }) => <Amount amount={amount_token} />,
    },
    {
      title: nameOf(quote),
      align: "right",
      isMinor: true,
      cell: ({ amount_quote }) => <Amount amount={amount_quote} />,
    },
    { title: "Value", align: "right", cell: ({ amount_usd }) => <Usd usd={amount_usd} /> },
    {
      title: "Trader",
      align: "right",
      cell: ({ trader_address }) => <WalletLink chain={chain} address={trader_address} />,
    },
    {
      title: "Transaction",
      align: "right",
      isMinor: true,
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
  ];
}
