import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useEmptyText } from "../../../features/records/kept-panel.tsx";
import { ZERO_ADDRESS } from "../../../format/hex.ts";
import { formatCompact } from "../../../format/number.ts";
import { formatUnits } from "../../../format/units.ts";
import { type Transfer, walletTransfersQuery } from "../../../queries/wallet/wallet.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { LiveTable } from "../../../ui/table/live-table.tsx";
import type { Column } from "../../../ui/table/table.tsx";
import { useWithoutSpam } from "../../../ui/table/without-spam.tsx";
import { Age, Usd } from "../../../ui/values/figures.tsx";
import { TokenLink, TransactionLink, WalletLink } from "../../../ui/values/links.tsx";

const HEIGHT = 440;
const NONE: readonly Transfer[] = [];

/** The latest ERC-20 transfers to and from the wallet. */
export function WalletTransfers({ chain, wallet }: { chain: string; wallet: string }) {
  const transfers = useQuery(walletTransfersQuery(chain, wallet));
  const columns = useMemo(() => columnsOf(chain, wallet), [chain, wallet]);
  const rows = transfers.data ?? NONE;
  const empty = useEmptyText(chain, "erc20", "No ERC-20 transfers to or from this address.");
  const { visible, spamSwitch } = useWithoutSpam({ chain, rows, tokenOf: (row) => row.token_address });
  return (
    <Panel title="Latest transfers" actions={spamSwitch ?? undefined}>
      <LiveTable
        label="Latest transfers in and out"
        columns={columns}
        query={transfers}
        visible={visible}
        listId={wallet}
        height={HEIGHT}
        empty={empty}
      />
    </Panel>
  );
}

function columnsOf(chain: string, wallet: string): Column<Transfer>[] {
  return [
    { title: "Age", cell: ({ timestamp }) => <Age timestamp={timestamp} /> },
    { title: "Direction", cell: (transfer) => directionOf(transfer, wallet) },
    {
      title: "Token",
      cell: ({ token_address, token_symbol }) => (
        <TokenLink chain={chain} address={token_address} symbol={token_symbol} />
      ),
    },
    { title: "Amount", align: "right", cell: (transfer) => <Amount transfer={transfer} /> },
    { title: "Value", align: "right", isMinor: true, cell: ({ value_usd }) => <Usd usd={value_usd} /> },
    {
      title: "Counterparty",
      cell: (transfer) => <Counterparty chain={chain} wallet={wallet} transfer={transfer} />,
    },
    {
      title: "Transaction",
      isMinor: true,
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
  ];
}

function Amount({ transfer: { value_token, value_base } }: { transfer: Transfer }) {
  if (value_token !== null) return <span title={String(value_token)}>{formatCompact(value_token)}</span>;
  return <span title="The token has no decimals">{formatUnits(value_base, null)} base units</span>;
}

function Counterparty({ chain, wallet, transfer }: { chain: string; wallet: string; transfer: Transfer }) {
  const { from_address, to_address } = transfer;
  const other = from_address === wallet ? to_address : from_address;
  if (other === ZERO_ADDRESS) return from_address === ZERO_ADDRESS ? "minted" : "burned";
  return <WalletLink chain={chain} address={other} />;
}

function directionOf({ from_address, to_address }: Transfer, wallet: string): string {
  if (from_address === to_address) return "self";
  return to_address === wallet ? "in" : "out";
}
