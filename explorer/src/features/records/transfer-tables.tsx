import { ZERO_ADDRESS } from "../../format/hex.ts";
import { formatInteger } from "../../format/number.ts";
import type { NftTransfer, Transfer } from "../../queries/chain/transactions.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Amount, Usd } from "../../ui/values/figures.tsx";
import { TokenLink, TransactionLink, WalletLink } from "../../ui/values/links.tsx";

interface Of {
  chain: string;
  /** Of one transaction, which goes without saying. */
  isOfOne: boolean;
}

interface Moved {
  record_index: number | string;
  transaction_hash: string;
  from_address: string;
  to_address: string;
  token_address: string;
  token_symbol: string | null;
}

export function TransferTable({ chain, transfers, isOfOne }: Of & { transfers: readonly Transfer[] }) {
  const columns: readonly Column<Transfer>[] = [
    tokenColumn(chain),
    {
      title: "Amount",
      align: "right",
      cell: ({ value_token, value_base }) =>
        value_token === null ? (
          <span title="base units: the token does not tell its decimals">{formatInteger(value_base)}</span>
        ) : (
          <Amount amount={value_token} />
        ),
    },
    {
      title: "Value",
      hint: "at the token's robust price then",
      align: "right",
      cell: ({ value_usd }) => <Usd usd={value_usd} />,
    },
    ...endColumns<Transfer>(chain, isOfOne),
  ];
  return (
    <Table
      label="ERC-20 transfers"
      columns={columns}
      rows={transfers}
      keyOf={({ record_index }) => String(record_index)}
      empty="No ERC-20 transfers."
    />
  );
}

export function NftTable({ chain, transfers, isOfOne }: Of & { transfers: readonly NftTransfer[] }) {
  const columns: readonly Column<NftTransfer>[] = [
    {
      title: "Token",
      cell: ({ token_symbol, token_address }) => (
        <span title={token_address}>{token_symbol ?? token_address}</span>
      ),
    },
    { title: "Id", align: "right", cell: ({ token_id }) => token_id },
    ...endColumns<NftTransfer>(chain, isOfOne),
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

function endColumns<Row extends Moved>(chain: string, isOfOne: boolean): Column<Row>[] {
  const ends: Column<Row>[] = [
    {
      title: "From",
      cell: ({ from_address }) => <End chain={chain} address={from_address} nobody="minted" />,
    },
    { title: "To", cell: ({ to_address }) => <End chain={chain} address={to_address} nobody="burned" /> },
  ];
  if (isOfOne) return ends;
  return [
    ...ends,
    {
      title: "Transaction",
      isMinor: true,
      cell: ({ transaction_hash }) => <TransactionLink chain={chain} hash={transaction_hash} />,
    },
  ];
}

function End({ chain, address, nobody }: { chain: string; address: string; nobody: string }) {
  if (address === ZERO_ADDRESS) return <span title={address}>{nobody}</span>;
  return <WalletLink chain={chain} address={address} />;
}
