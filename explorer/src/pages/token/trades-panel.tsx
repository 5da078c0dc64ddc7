import { useRollbacks } from "../../queries/chain/use-chain.ts";
import { TRADES_PER_PAGE } from "../../queries/market/trade-lists.ts";
import {
  olderTokenTradesQuery,
  type TokenTrade,
  type TokenTradesOptions,
  tokenTradesQuery,
  tradesSql,
} from "../../queries/token/token-trades.ts";
import { CopyRequest } from "../../ui/controls/copy-request.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Table } from "../../ui/table/table.tsx";
import { TradePages } from "../../ui/table/trade-pages.tsx";
import { NoTradesHere } from "./no-trades-here.tsx";
import { useToken, useTokenChoices } from "./token-search.ts";
import { useTradeColumns } from "./trade-columns.tsx";
import { TradeFilters } from "./trade-filters.tsx";

const HEIGHT = 36 + TRADES_PER_PAGE * 40;

export function TradesPanel({ symbol }: { symbol: string }) {
  const { chain, address: token } = useToken();
  const [{ side, min_usd: minUsd, pool_address: pool, trader }] = useTokenChoices();
  const rollbacks = useRollbacks(chain);
  const options: TokenTradesOptions = { chain, token, side, minUsd, pool, trader };
  return (
    <Panel
      title="Latest trades"
      actions={<CopyRequest what="trades" request={{ method: "sql", query: tradesSql(options).sql }} />}
    >
      <TradeFilters />
      <TradePages
        listId={JSON.stringify(options)}
        latest={tokenTradesQuery(options)}
        older={(before) => olderTokenTradesQuery(options, before, rollbacks)}
        height={HEIGHT}
      >
        {(trades, isNew) => (
          <TradeTable symbol={symbol} trades={trades} isNew={isNew} isFiltered={isFiltered(options)} />
        )}
      </TradePages>
    </Panel>
  );
}

function isFiltered({ side, minUsd, pool, trader }: TokenTradesOptions): boolean {
  return side !== "all" || minUsd > 0 || pool !== "all" || trader !== "all";
}

interface TradeTableProps {
  symbol: string;
  trades: readonly TokenTrade[];
  isNew: (trade: TokenTrade) => boolean;
  isFiltered: boolean;
}

function TradeTable({ symbol, trades, isNew, isFiltered }: TradeTableProps) {
  const none = isFiltered
    ? "No trades match the filters. New ones appear here."
    : "No trades yet. New ones appear here.";
  const columns = useTradeColumns(symbol);
  return (
    <Table
      label="Trades"
      columns={columns}
      rows={trades}
      keyOf={(trade) => String(trade.record_index)}
      isNew={isNew}
      empty={<NoTradesHere symbol={symbol}>{none}</NoTradesHere>}
    />
  );
}
