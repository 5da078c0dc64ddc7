import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useEmptyText } from "../../../features/records/kept-panel.tsx";
import { formatCompact } from "../../../format/number.ts";
import { type Transaction, walletTransactionsQuery } from "../../../queries/wallet/wallet.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { LiveTable } from "../../../ui/table/live-table.tsx";
import type { Column } from "../../../ui/table/table.tsx";
import { Age, Usd } from "../../../ui/values/figures.tsx";
import { TransactionLink, WalletLink } from "../../../ui/values/links.tsx";
import styles from "./wallet-transactions.module.css";

const HEIGHT = 440;

/** The latest transactions that the wallet sent. */
export function WalletTransactions({ chain, wallet }: { chain: string; wallet: string }) {
  const transactions = useQuery(walletTransactionsQuery(chain, wallet));
  const columns = useMemo(() => columnsOf(chain), [chain]);
  const empty = useEmptyText(chain, "transactions", "No indexed transactions from this address.");
  return (
    <Panel title="Latest transactions">
      <LiveTable
        label="Latest transactions sent"
        columns={columns}
        query={transactions}
        listId={wallet}
        height={HEIGHT}
        empty={empty}
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
    { title: "Status", cell: ({ status }) => <Status status={status} /> },
    { title: "To", cell: (transaction) => <Recipient chain={chain} transaction={transaction} /> },
    { title: "Method", isMinor: true, cell: ({ method_id }) => <code>{method_id ?? ""}</code> },
    {
      title: "Value",
      hint: "Native coins sent",
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

/** Before the Byzantium fork, receipts did not contain a status. */
function Status({ status }: { status: number | null }) {
  if (status === null) return "Unknown";
  return status === 1 ? "Success" : <span className={styles.failed}>Failed</span>;
}

function Recipient({ chain, transaction }: { chain: string; transaction: Transaction }) {
  const { to_address, contract_address } = transaction;
  if (to_address !== null) return <WalletLink chain={chain} address={to_address} />;
  return (
    <>
      New contract{" "}
      {contract_address === null ? null : <WalletLink chain={chain} address={contract_address} />}
    </>
  );
}
