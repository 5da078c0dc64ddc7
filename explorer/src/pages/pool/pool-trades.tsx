import { useMemo } from "react";
import { shortHex } from "../../format/hex.ts";
import { formatUsd } from "../../format/number.ts";
import { tokenName } from "../../format/pool.ts";
import { parseTime } from "../../format/time.ts";
import { oneOf } from "../../format/url-choices.ts";
import { useRollbacks } from "../../queries/chain/use-chain.ts";
import type { Pool, PoolToken } from "../../queries/pool/pool.ts";
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
import { Age, Side, Usd } from "../../ui/values/figures.tsx";
import { TokenLink, TransactionLink, WalletLink } from "../../ui/values/links.tsx";
import { TradePrice } from "../../ui/values/trade-price.tsx";
import { TradedAmount } from "../../ui/values/traded-amount.tsx";
import { hasManyTokens, type Legs, tradableTokens } from "./pool-legs.ts";
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
          tokens: tradedIn(pool, legs),
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
        <Trades options={options} pool={pool} legs={legs} />
      )}
    </Panel>
  );
}

/**
 * Returns the tokens whose trades are listed: all of them if more than two can be traded.
 */
function tradedIn(pool: Pool, { token }: Legs): string[] {
  return (hasManyTokens(pool) ? tradableTokens(pool) : [token]).map(({ address }) => address);
}

interface TradesProps {
  options: PoolTradesOptions;
  pool: Pool;
  legs: Legs;
}

function Trades({ options, pool, legs }: TradesProps) {
  const columns = useMemo(() => columnsOf(pool, legs), [pool, legs]);
  const rollbacks = useRollbacks(options.chain);
  const { newest: _, ...filter } = options;
  return (
    <TradePages
      listId={JSON.stringify(filter)}
      latest={poolTradesQuery(options)}
      older={(before) => olderPoolTradesQuery(options, before, rollbacks)}
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

function columnsOf(pool: Pool, { token, quote }: Legs): Column<PoolTrade>[] {
  const { chain } = pool;
  return [
    { title: "Age", cell: ({ timestamp }) => <Age timestamp={parseTime(timestamp)} /> },
    { title: "Side", cell: ({ side }) => <Side side={side} /> },
    ...(quote === null ? tokenColumn(chain) : []),
    { title: "Price", align: "right", cell: (trade) => <TradePrice trade={trade} /> },
    {
      title: quote === null ? "Amount" : tokenName(token),
      align: "right",
      cell: ({ amount_token, amounts_unknown_reason }) => (
        <TradedAmount amount={amount_token} reason={amounts_unknown_reason} />
      ),
    },
    ...(quote === null ? quoteColumn(pool) : amountOf(quote)),
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

/**
 * Returns the column with the amount of the quote token, for a pool in which all trades have the same one.
 */
function amountOf(quote: PoolToken): Column<PoolTrade>[] {
  const cell = ({ amount_quote, amounts_unknown_reason }: PoolTrade) => (
    <TradedAmount amount={amount_quote} reason={amounts_unknown_reason} />
  );
  return [{ title: tokenName(quote), align: "right", isMinor: true, cell }];
}

function tokenColumn(chain: string): Column<PoolTrade>[] {
  const cell = ({ token_address, token_symbol }: PoolTrade) => (
    <TokenLink chain={chain} address={token_address} symbol={token_symbol} />
  );
  return [{ title: "Token", cell }];
}

/**
 * Returns the column with the amount and name of the quote token, for a pool in which it differs between
 * trades.
 */
function quoteColumn(pool: Pool): Column<PoolTrade>[] {
  const names = new Map(tradableTokens(pool).map((token) => [token.address, tokenName(token)]));
  const cell = ({ amount_quote, quote_address, amounts_unknown_reason }: PoolTrade) => (
    <>
      <TradedAmount amount={amount_quote} reason={amounts_unknown_reason} />{" "}
      {names.get(quote_address) ?? shortHex(quote_address)}
    </>
  );
  return [{ title: "For", hint: "The other token of the swap", align: "right", isMinor: true, cell }];
}
