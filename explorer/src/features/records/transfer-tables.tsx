import { ZERO_ADDRESS } from "../../format/hex.ts";
import { formatInteger } from "../../format/number.ts";
import { visibleText } from "../../format/visible-text.ts";
import type { NftTransfer, Transfer } from "../../queries/chain/transactions.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { useWithoutSpam } from "../../ui/table/without-spam.tsx";
import { Amount, Usd } from "../../ui/values/figures.tsx";
import { TokenLink, TransactionLink, WalletLink } from "../../ui/values/links.tsx";
import styles from "./transfer-tables.module.css";

interface TableProps {
  chain: string;
  /** Whether all transfers belong to one transaction, whose hash is then omitted. */
  isOneTransaction: boolean;
}

interface TransferRow {
  record_index: number | string;
  transaction_hash: string;
  from_address: string;
  to_address: string;
  token_address: string;
  token_symbol: string | null;
}

export function TransferTable({
  chain,
  transfers,
  isOneTransaction,
}: TableProps & { transfers: readonly Transfer[] }) {
  const tokenOf = (transfer: Transfer) => transfer.token_address;
  const { visible, spamSwitch } = useWithoutSpam({ chain, rows: transfers, tokenOf });
  const columns: readonly Column<Transfer>[] = [
    tokenColumn(chain),
    {
      title: "Amount",
      align: "right",
      cell: ({ value_token, value_base }) =>
        value_token === null ? (
          <span title="In base units: the token has no decimals">{formatInteger(value_base)}</span>
        ) : (
          <Amount amount={value_token} />
        ),
    },
    {
      title: "Value",
      hint: "At the token's robust price at that time",
      align: "right",
      cell: ({ value_usd }) => <Usd usd={value_usd} />,
    },
    ...partyColumns<Transfer>(chain, isOneTransaction),
  ];
  return (
    <>
      <Table
        label="ERC-20 transfers"
        columns={columns}
        rows={visible}
        keyOf={({ record_index }) => String(record_index)}
        empty={spamSwitch === null ? "No ERC-20 transfers." : "No ERC-20 transfers except the hidden ones."}
      />
      {spamSwitch === null ? null : <p className={styles.hidden}>{spamSwitch}</p>}
    </>
  );
}

export function NftTable({
  chain,
  transfers,
  isOneTransaction,
}: TableProps & { transfers: readonly NftTransfer[] }) {
  const columns: readonly Column<NftTransfer>[] = [
    {
      title: "Token",
      cell: ({ token_symbol, token_address }) => (
        <span title={token_address}>{token_symbol === null ? token_address : visibleText(token_symbol)}</span>
      ),
    },
    { title: "ID", align: "right", cell: ({ token_id }) => token_id },
    ...partyColumns<NftTransfer>(chain, isOneTransaction),
  ];
  return (
    <Table
      label="NFT transfers"
      columns={columns}
      rows={transfers}
      keyOf={({ record_index }) => String(record_index)}
      empty="No NFT transfers."
    />
  );
}

function tokenColumn(chain: string): Column<Transfer> {
  return {
    title: "Token",
    cell: ({ token_address, token_symbol }) => (
      <TokenLink chain={chain} address={token_address} symbol={token_symbol} />
    ),
  };
}

function partyColumns<Row extends TransferRow>(chain: string, isOneTransaction: boolean): Column<Row>[] {
  const parties: Column<Row>[] = [
    {
      title: "From",
      cell: ({ from_address }) => <Party chain={chain} address={from_address} zeroAddressText="minted" />,
    },
    {
      title: "To",
      cell: ({ to_address }) => <Party chain={chain} address={to_address} zeroAddressText="burned" />,
    },
  ];
  if (isOneTransaction) return parties;
  return [
    ...parties,
    {
      title: "Transaction",
      isMinor: true,
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
  ];
}

function Party({
  chain,
  address,
  zeroAddressText,
}: {
  chain: string;
  address: string;
  zeroAddressText: string;
}) {
  if (address === ZERO_ADDRESS) return <span title={address}>{zeroAddressText}</span>;
  return <WalletLink chain={chain} address={address} />;
}
