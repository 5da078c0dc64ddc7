import type { TokenPerformance } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { formatCompact, formatCount, formatUsdCompact, shareOf } from "../../../format/number.ts";
import {
  performanceParameters,
  type WalletScope,
  walletTokensQuery,
} from "../../../queries/wallet/wallet.ts";
import { CopyRequest } from "../../../ui/controls/copy-request.tsx";
import { QueryContent } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, Table } from "../../../ui/table/table.tsx";
import { Change, Price, Profit } from "../../../ui/values/figures.tsx";
import { TokenLink } from "../../../ui/values/links.tsx";
import { FIGURE_HINTS } from "./figure-hints.ts";
import styles from "./wallet-tokens.module.css";

const HEIGHT = 420;

/** The wallet's profit per token. */
export function WalletTokens({ scope }: { scope: WalletScope }) {
  const tokens = useQuery(walletTokensQuery(scope));
  const columns = useMemo(() => columnsOf(scope.chain), [scope.chain]);
  return (
    <Panel
      title="Tokens traded"
      actions={
        <CopyRequest
          what="tokens"
          request={{ method: "walletTokens", parameters: performanceParameters(scope) }}
        />
      }
    >
      <QueryContent query={tokens} height={HEIGHT}>
        {(rows) => (
          <Table
            label="Profit and loss by token"
            columns={columns}
            rows={rows}
            keyOf={({ token_address }) => token_address}
            order={{ title: "Total", direction: "descending" }}
            empty="No tokens other than the excluded ones."
          />
        )}
      </QueryContent>
    </Panel>
  );
}

function columnsOf(chain: string): Column<TokenPerformance>[] {
  return [
    {
      title: "Token",
      sort: ({ token_symbol, token_address }) => token_symbol ?? token_address,
      cell: ({ token_address, token_symbol }) => (
        <TokenLink chain={chain} address={token_address} symbol={token_symbol} />
      ),
    },
    {
      title: "Trades",
      align: "right",
      isMinor: true,
      sort: ({ total_trades }) => total_trades,
      cell: ({ total_trades }) => formatCount(total_trades),
    },
    {
      title: "Bought",
      hint: FIGURE_HINTS.bought,
      align: "right",
      sort: ({ total_buy_volume }) => total_buy_volume,
      cell: (token) => <UsdAndAmount usd={token.total_buy_volume} amount={token.total_buy_amount} />,
    },
    {
      title: "Sold",
      hint: FIGURE_HINTS.sold,
      align: "right",
      sort: ({ total_sell_volume }) => total_sell_volume,
      cell: (token) => <UsdAndAmount usd={token.total_sell_volume} amount={token.total_sell_amount} />,
    },
    {
      title: "Holding",
      hint: FIGURE_HINTS.held,
      align: "right",
      sort: ({ unrealized_value }) => unrealized_value,
      cell: (token) => <UsdAndAmount usd={token.unrealized_value} amount={token.trading_balance} />,
    },
    {
      title: "Average cost",
      hint: "Average price per token over all purchases",
      align: "right",
      isMinor: true,
      sort: ({ avg_buy_price }) => avg_buy_price,
      cell: ({ avg_buy_price }) => <Price usd={avg_buy_price} />,
    },
    {
      title: "Price",
      hint: "Latest robust price",
      align: "right",
      isMinor: true,
      sort: ({ current_price }) => current_price,
      cell: ({ current_price }) => <Price usd={current_price} />,
    },
    ...PROFIT_COLUMNS,
  ];
}

const PROFIT_COLUMNS: readonly Column<TokenPerformance>[] = [
  profitColumn("Realized", FIGURE_HINTS.realized, ({ realized_profit }) => realized_profit),
  profitColumn("Unrealized", FIGURE_HINTS.unrealized, ({ unrealized_profit }) => unrealized_profit),
  profitColumn("Total", FIGURE_HINTS.total, ({ total_profit }) => total_profit),
  {
    title: "Return",
    hint: FIGURE_HINTS.return,
    align: "right",
    sort: ({ total_return }) => total_return,
    cell: ({ total_return }) => <Change share={shareOf(total_return)} />,
  },
];

function profitColumn(
  title: string,
  hint: string,
  of: (token: TokenPerformance) => number | null,
): Column<TokenPerformance> {
  return { title, hint, align: "right", sort: of, cell: (token) => <Profit usd={of(token)} /> };
}

/** Shows a value in US dollars with the amount of tokens below it. */
function UsdAndAmount({ usd, amount }: { usd: number | null; amount: number | null }) {
  return (
    <span className={styles.sum} title={amount === null ? undefined : `${amount} tokens, ${usd} USD`}>
      <span>{formatUsdCompact(usd)}</span>
      <span className={styles.amount}>{formatCompact(amount)}</span>
    </span>
  );
}
