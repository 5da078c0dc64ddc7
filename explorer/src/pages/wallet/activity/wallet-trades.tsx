import { useMemo } from "react";
import { useRollbacks } from "../../../queries/chain/use-chain.ts";
import {
  olderWalletTradesQuery,
  type WalletTrade,
  walletTradesQuery,
} from "../../../queries/wallet/wallet.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, Table } from "../../../ui/table/table.tsx";
import { TradePages } from "../../../ui/table/trade-pages.tsx";
import { Age, Price, Side, Usd } from "../../../ui/values/figures.tsx";
import { PoolLink, TokenLink, TransactionLink } from "../../../ui/values/links.tsx";
import { TradedAmount } from "../../../ui/values/traded-amount.tsx";

const HEIGHT = 480;

/** The wallet's trades: the latest ones live, and older ones. */
export function WalletTrades({ chain, wallet }: { chain: string; wallet: string }) {
  const columns = useMemo(() => columnsOf(chain), [chain]);
  const rollbacks = useRollbacks(chain);
  return (
    <Panel title="Latest trades">
      <TradePages
        listId={wallet}
        latest={walletTradesQuery(chain, wallet)}
        older={(before) => olderWalletTradesQuery({ chain, wallet }, before, rollbacks)}
        height={HEIGHT}
      >
        {(trades, isNew) => (
          <Table
            label="Latest trades of the wallet"
            columns={columns}
            rows={trades}
            keyOf={({ record_index }) => String(record_index)}
            isNew={isNew}
            maxHeight={HEIGHT}
            empty="No trades on an indexed DEX."
          />
        )}
      </TradePages>
    </Panel>
  );
}

function columnsOf(chain: string): Column<WalletTrade>[] {
  return [
    { title: "Age", cell: ({ timestamp }) => <Age timestamp={timestamp} /> },
    { title: "Side", cell: ({ side }) => <Side side={side} /> },
    {
      title: "Token",
      cell: ({ token_address, token_symbol }) => (
        <TokenLink chain={chain} address={token_address} symbol={token_symbol} />
      ),
    },
    {
      title: "Amount",
      align: "right",
      cell: ({ amount_token, amounts_unknown_reason }) => (
        <TradedAmount amount={amount_token} reason={amounts_unknown_reason} />
      ),
    },
    { title: "Value", align: "right", cell: ({ amount_usd }) => <Usd usd={amount_usd} /> },
    {
      title: "Price",
      align: "right",
      isMinor: true,
      cell: ({ price_token_usd_tick_1 }) => <Price usd={price_token_usd_tick_1} />,
    },
    {
      title: "Pool",
      isMinor: true,
      cell: ({ pool_address }) => <PoolLink chain={chain} address={pool_address} />,
    },
    {
      title: "Transaction",
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
  ];
}
