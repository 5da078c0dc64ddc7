import { useMemo } from "react";
import { formatUsd } from "../../format/number.ts";
import { tokenName } from "../../format/pool.ts";
import { parseTime } from "../../format/time.ts";
import { oneOf } from "../../format/url-choices.ts";
import type { Pool } from "../../queries/pool/pool.ts";
import {
  olderPoolTradesQuery,
  type PoolTrade,
  type PoolTradesOptions,
  poolTradesQuery,
  poolTradesSql,
} from "../../queries/pool/pool-trades.ts";
import { Select, TradeSideChoice } from "../../ui/controls/choice.tsx";
import { CopyRequest } from "../../ui/controls/copy-request.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { TradePages } from "../../ui/table/trade-pages.tsx";
import { Age, Amount, Side, Usd } from "../../ui/values/figures.tsx";
import { TransactionLink, WalletLink } from "../../ui/values/links.tsx";
import { TradePrice } from "../../ui/values/trade-price.tsx";
import type { Legs } from "./pool-legs.ts";
import { MIN_VALUES, usePoolChoices } from "./pool-search.ts";

const HEIGHT = 640;

const VALUE_OPTIONS = MIN_VALUES.map((value) => ({
  value: String(value),
  title: value === 0 ? "Any value" : `From ${formatUsd(value)}`,
}));

/** The latest trades in the pool, live. */
export function PoolTrades({ pool, legs }: { pool: Pool; legs: Legs | null }) {
  const [{ side, min_usd: minUsd }, setChoices] = usePoolChoices();
  const options =
    legs?.newest == null
      ? null
      : {
          chain: pool.chain,
          pool: pool.address,
          token: legs.token.address,
          side,
          minUsd,
          newest: legs.newest,
        };
  return (
    <Panel
      title="Latest trades"
      actions={
        <>
          <TradeSideChoice value={side} onChange={(value) => setChoices({ side: value })} />
          <Select
            label="Value"
            options={VALUE_OPTIONS}
            value={String(minUsd)}
            onChange={(value) => setChoices({ min_usd: oneOf(MIN_VALUES, Number(value)) ?? 0 })}
          />
          {options === null ? null : (
            <CopyRequest what="trades" request={{ method: "sql", query: poolTradesSql(options).sql }} />
          )}
        </>
      }
    >
      {legs === null ? (
        <Skeleton height={HEIGHT} />
      ) : options === null ? (
        <Notice>No trades in this pool yet. The first trade will appear here.</Notice>
      ) : (
        <Trades options={options} legs={legs} />
      )}
    </Panel>
  );
}

function Trades({ options, legs }: { options: PoolTradesOptions; legs: Legs }) {
  const columns = useMemo(() => columnsOf(options.chain, legs), [options.chain, legs]);
  const { newest: _, ...filter } = options;
  return (
    <TradePages
      listId={JSON.stringify(filter)}
      latest={poolTradesQuery(options)}
      older={(before) => olderPoolTradesQuery(options, before)}
      height={HEIGHT}
    >
      {(trades, isNew) => (
        <Table
          label="Latest trades in the pool"
          columns={columns}
          rows={trades}
          keyOf={({ record_index }) => String(record_index)}
          isNew={isNew}
          maxHeight={HEIGHT}
          empty="No trades match the filters."
        />
      )}
    </TradePages>
  );
}

function columnsOf(chain: string, { token, quote }: Legs): Column<PoolTrade>[] {
  return [
    { title: "Age", cell: ({ timestamp }) => <Age timestamp={parseTime(timestamp)} /> },
    { title: "Side", cell: ({ side }) => <Side side={side} /> },
    { title: "Price", align: "right", cell: (trade) => <TradePrice trade={trade} /> },
    {
      title: tokenName(token),
      align: "right",
      cell: ({ amount_token }) => <Amount amount={amount_token} />,
    },
    {
      title: tokenName(quote),
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
