import { useQuery } from "@tanstack/react-query";
import { type Swap, symbolsQuery } from "../../queries/chain/transactions.ts";
import { type Verdict, verdictOf } from "../../queries/market/robust-price.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Price, Side, Usd } from "../../ui/values/figures.tsx";
import { PoolLink, TokenLink, TransactionLink, WalletLink } from "../../ui/values/links.tsx";
import { TradedAmount } from "../../ui/values/traded-amount.tsx";

interface TradeTableProps {
  chain: string;
  trades: readonly Swap[];
  /** Whether all trades belong to one transaction, whose hash and sender are then omitted. */
  isOneTransaction: boolean;
}

/**
 * A table of trades decoded from swaps. A swap has one trade for each of its tokens that is not its cash
 * side.
 */
export function TradeTable({ chain, trades, isOneTransaction }: TradeTableProps) {
  const quotes = trades.map(({ quote_address }) => quote_address);
  const { data: symbols } = useQuery(symbolsQuery(chain, quotes));
  const columns = tradeColumns(chain, symbols);
  return (
    <Table
      label="Trades"
      columns={isOneTransaction ? columns : [...columns, ...transactionColumns(chain)]}
      rows={trades}
      keyOf={({ record_index }) => String(record_index)}
      empty="No trades."
    />
  );
}

type Symbols = ReadonlyMap<string, string | null> | undefined;

function tradeColumns(chain: string, symbols: Symbols): readonly Column<Swap>[] {
  return [
    { title: "Side", hint: "The trader's side", cell: ({ side }) => <Side side={side} /> },
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
    {
      title: "Quote amount",
      hint: "Amount of the quote token",
      align: "right",
      cell: ({ amount_quote, amounts_unknown_reason }) => (
        <TradedAmount amount={amount_quote} reason={amounts_unknown_reason} />
      ),
    },
    {
      title: "Quote",
      hint: "The other token of the swap",
      isMinor: true,
      cell: ({ quote_address }) => (
        <TokenLink chain={chain} address={quote_address} symbol={symbols?.get(quote_address) ?? null} />
      ),
    },
    { title: "Value", align: "right", cell: ({ amount_usd }) => <Usd usd={amount_usd} /> },
    {
      title: "Price",
      hint: "The price of this trade",
      align: "right",
      cell: ({ price_token_usd_tick_1 }) => <Price usd={price_token_usd_tick_1} />,
    },
    {
      title: "Verdict",
      hint: "Whether the trade counts towards robust prices",
      cell: (trade) => <VerdictBadge verdict={verdictOf(trade)} />,
    },
    {
      title: "Pool",
      isMinor: true,
      cell: ({ pool_address, protocol_name }) => (
        <span title={protocol_name}>
          <PoolLink chain={chain} address={pool_address} />
        </span>
      ),
    },
  ];
}

function transactionColumns(chain: string): Column<Swap>[] {
  return [
    {
      title: "Trader",
      isMinor: true,
      cell: ({ trader_address }) => <WalletLink chain={chain} address={trader_address} />,
    },
    {
      title: "Transaction",
      isMinor: true,
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
  ];
}

/** Appearance and meaning of each verdict. */
const VERDICTS = {
  accepted: { tone: "up", name: "accepted", hint: "Counts towards robust prices." },
  "no price": {
    tone: "quiet",
    name: "no price",
    hint: "Has no price, because the value paid or the amount is unknown.",
  },
  "too small": {
    tone: "quiet",
    name: "under $1",
    hint: "Worth less than 1 US dollar, so it does not count towards robust prices.",
  },
  outlier: {
    tone: "warn",
    name: "outlier",
    hint: "Priced too far from the token's other trades, or paid in a stablecoin below its peg, so it does not count towards robust prices.",
  },
} as const satisfies Record<Verdict, object>;

function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { tone, name, hint } = VERDICTS[verdict];
  return (
    <Badge tone={tone} hint={hint}>
      {name}
    </Badge>
  );
}
