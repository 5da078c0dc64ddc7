import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { formatCompact } from "../../../format/number.ts";
import { type Transaction, walletTransactionsQuery } from "../../../queries/wallet/wallet.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { LiveTable } from "../../../ui/table/live-table.tsx";
import type { Column } from "../../../ui/table/table.tsx";
import { Age, Usd } from "../../../ui/values/figures.tsx";
import { TransactionLink, WalletLink } from "../../../ui/values/links.tsx";
import styles from "./wallet-transactions.module.css";

const HEIGHT = 440;

/** The newest transactions that the wallet sent. */
export function WalletTransactions({ chain, wallet }: { chain: string; wallet: string }) {
  const transactions = useQuery(walletTransactionsQuery(chain, wallet));
  const columns = useMemo(() => columnsOf(chain), [chain]);
  return (
    <Panel title="Newest transactions">
      <LiveTable
        label="Newest transactions sent"
        columns={columns}
        query={transactions}
        listId={wallet}
        height={HEIGHT}
        empty="This address sent no indexed transaction."
      />
    </Panel>
  );
}

function columnsOf(chain: string): Column<Transaction>[] {
  return [
    { title: "Age", cell: ({ timestamp }) => <Age timestamp={timestamp} /> },
    {
      title: "Transaction",
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
    { title: "Outcome", cell: ({ status }) => <Outcome status={status} /> },
    { title: "To", cell: (transaction) => <Receiver chain={chain} transaction={transaction} /> },
    { title: "Method", isMinor: true, cell: ({ method_id }) => <code>{method_id ?? ""}</code> },
    {
      title: "Sent",
      hint: "Native coins sent along",
      align: "right",
      cell: ({ value_eth, value_base }) => (
        <span title={`${value_base} wei`}>{formatCompact(value_eth)}</span>
      ),
    },
    {
      title: "Fee",
      align: "right",
      isMinor: true,
      cell: ({ transaction_fee_usd }) => <Usd usd={transaction_fee_usd} />,
    },
  ];
}

/** Before Byzantium nodes did not tell. */
function Outcome({ status }: { status: number | null }) {
  if (status === null) return "not told";
  return status === 1 ? "success" : <span className={styles.failed}>failed</span>;
}

function Receiver({ chain, transaction }: { chain: string; transaction: Transaction }) {
  const { to_address, contract_address } = transaction;
  if (to_address !== null) return <WalletLink chain={chain} address={to_address} />;
  return (
    <>
      new contract{" "}
      {contract_address === null ? null : <WalletLink chain={chain} address={contract_address} />}
    </>
  );
}
