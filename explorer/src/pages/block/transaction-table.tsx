import { TransactionStatus } from "../../features/records/transaction-status.tsx";
import { formatPrice } from "../../format/number.ts";
import type { Transaction } from "../../queries/chain/transactions.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Amount, Usd } from "../../ui/values/figures.tsx";
import { TransactionLink, WalletLink } from "../../ui/values/links.tsx";

/** The transactions of a block. */
export function TransactionTable({ chain, rows }: { chain: string; rows: readonly Transaction[] }) {
  const unit = unitText(useChainStatus(chain)?.native_coin.symbol);
  const columns: readonly Column<Transaction>[] = [
    { title: "#", align: "right", isMinor: true, cell: ({ transaction_index }) => transaction_index },
    {
      title: "Transaction",
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
    { title: "Status", cell: ({ status }) => <TransactionStatus status={status} /> },
    { title: "From", cell: ({ from_address }) => <WalletLink chain={chain} address={from_address} /> },
    {
      title: "To",
      cell: ({ to_address }) =>
        to_address === null ? "New contract" : <WalletLink chain={chain} address={to_address} />,
    },
    {
      title: "Method",
      hint: "First four bytes of the call data",
      isMinor: true,
      cell: ({ method_id }) => <code>{method_id ?? ""}</code>,
    },
    {
      title: `Value${unit}`,
      align: "right",
      cell: ({ value_eth }) => <Amount amount={value_eth} />,
    },
    {
      title: `Fee${unit}`,
      align: "right",
      isMinor: true,
      cell: ({ transaction_fee_eth: fee }) => <span title={String(fee)}>{formatPrice(fee)}</span>,
    },
    { title: "Fee", align: "right", cell: ({ transaction_fee_usd: fee }) => <Usd usd={fee} /> },
  ];
  return (
    <Table
      label="Transactions"
      columns={columns}
      rows={rows}
      keyOf={({ transaction_hash }) => transaction_hash}
      empty="No transactions."
    />
  );
}

function unitText(symbol: string | undefined): string {
  return symbol === undefined ? "" : `, ${symbol}`;
}
