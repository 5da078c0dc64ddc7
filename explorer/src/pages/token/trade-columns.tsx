import { poolName, protocolName } from "../../format/pool.ts";
import { parseTime } from "../../format/time.ts";
import type { TokenTrade } from "../../queries/token/token-trades.ts";
import type { Column } from "../../ui/table/table.tsx";
import { Age, Side, Usd } from "../../ui/values/figures.tsx";
import { PoolLink, TransactionLink, WalletLink } from "../../ui/values/links.tsx";
import { TradePrice } from "../../ui/values/trade-price.tsx";
import { TradedAmount } from "../../ui/values/traded-amount.tsx";
import { useTokenPools } from "./pool-options.ts";
import styles from "./token.module.css";
import { useToken } from "./token-search.ts";

export function useTradeColumns(symbol: string): readonly Column<TokenTrade>[] {
  const { chain } = useToken();
  const { data } = useTokenPools();
  const pairs = new Map(data?.pools.map((pool) => [pool.address, poolName(pool.tokens)]));
  return [
    { title: "Age", cell: ({ timestamp }) => <Age timestamp={parseTime(timestamp)} /> },
    { title: "Side", cell: ({ side }) => <Side side={side} /> },
    { title: "Price", align: "right", cell: (trade) => <TradePrice trade={trade} /> },
    {
      title: `Amount ${symbol}`,
      align: "right",
      isMinor: true,
      cell: ({ amount_token, amounts_unknown_reason }) => (
        <TradedAmount amount={amount_token} reason={amounts_unknown_reason} />
      ),
    },
    { title: "Value", align: "right", cell: ({ amount_usd }) => <Usd usd={amount_usd} /> },
    {
      title: "Pool",
      cell: ({ pool_address, protocol_name }) => (
        <span className={styles.pool}>
          <PoolLink chain={chain} address={pool_address}>
            {pairs.get(pool_address)}
          </PoolLink>
          <span>{protocolName(protocol_name)}</span>
        </span>
      ),
    },
    {
      title: "Trader",
      cell: ({ trader_address }) => <WalletLink chain={chain} address={trader_address} />,
    },
    {
      title: "Transaction",
      align: "right",
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
  ];
}
