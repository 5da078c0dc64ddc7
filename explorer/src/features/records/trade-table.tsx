import { useQuery } from "@tanstack/react-query";
import { type Swap, symbolsQuery } from "../../queries/chain/transactions.ts";
import { type Verdict, verdictOf } from "../../queries/market/robust-price.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Amount, Price, Side, Usd } from "../../ui/values/figures.tsx";
import { PoolLink, TokenLink, TransactionLink, WalletLink } from "../../ui/values/links.tsx";

interface TradeTableProps {
  chain: string;
  swaps: readonly Swap[];
  /** Of one transaction: it and its sender go without saying. */
  isOfOne: boolean;
}

/** Trades as decoded from swaps: one for each token of a swap that is not its cash. */
export function TradeTable({ chain, swaps, isOfOne }: TradeTableProps) {
  const quotes = swaps.map(({ quote_address }) => quote_address);
  const { data: symbols } = useQuery(symbolsQuery(chain, quotes));
  const columns = swapColumns(chain, symbols);
  return (
    <Table
      label="Trades"
      columns={isOfOne ? columns : [...columns, ...ofMany(chain)]}
      rows={swaps}
      keyOf={({ record_index }) => String(record_index)}
      empty="No trades."
    />
  );
}

type Symbols = ReadonlyMap<string, string | null> | undefined;

function swapColumns(chain: string, symbols: Symbols): readonly Column<Swap>[] {
  return [
    { title: "Side", hint: "of the trader", cell: ({ side }) => <Side side={side} /> },
    {
      title: "Token",
      cell: ({ token_address, token_symbol }) => (
        <TokenLink chain={chain} address={token_address} symbol={token_symbol} />
      ),
    },
    { title: "Amount", align: "right", cell: ({ amount_token }) => <Amount amount={amount_token} /> },
    {
      title: "For",
      hint: "amount of the swap's other token",
      align: "right",
      cell: ({ amount_quote }) => <Amount amount={amount_quote} />,
    },
    {
      title: "Of",
      hint: "the swap's other token",
      isMinor: true,
      cell: ({ quote_address }) => (
        <TokenLink chain={chain} address={quote_address} symbol={symbols?.get(quote_address) ?? null} />
      ),
    },
    { title: "Value", align: "right", cell: ({ amount_usd }) => <Usd usd={amount_usd} /> },
    {
      title: "Price",
      hint: "of this swap",
      align: "right",
      cell: ({ price_token_usd_tick_1 }) => <Price usd={price_token_usd_tick_1} />,
    },
    {
      title: "Verdict",
      hint: "whether it counts into robust prices",
      cell: (swap) => <VerdictBadge verdict={verdictOf(swap)} />,
    },
    {
      title: "Pool",
      isMinor: true,
      cell: ({ pool_address, protocol_name }) => (
        <span title={protocol_name}>
          {pool_address.length === ADDRESS_SIGNS ? (
            <PoolLink chain={chain} address={pool_address} />
          ) : (
            <code>{pool_address.slice(0, 10)}…</code>
          )}
        </span>
      ),
    },
  ];
}

/** A pool of Uniswap V4 has an id of 32 bytes instead, and no page. */
const ADDRESS_SIGNS = 42;

function ofMany(chain: string): Column<Swap>[] {
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

/** How each verdict looks, and what it means. */
const VERDICTS = {
  accepted: { tone: "up", name: "accepted", hint: "It counts into robust prices." },
  "no price": { tone: "quiet", name: "no price", hint: "No leg has a known price in US dollars." },
  "too small": {
    tone: "quiet",
    name: "under $1",
    hint: "Worth less than 1 US dollar: it does not count into robust prices.",
  },
  outlier: {
    tone: "warn",
    name: "outlier",
    hint: "Far from the token's other trades: it does not count into robust prices.",
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
