import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { formatCount, formatUsdCompact } from "../../../format/number.ts";
import { formatUnits } from "../../../format/units.ts";
import { type Balance, MAX_BALANCES, walletBalancesQuery } from "../../../queries/wallet/wallet-balances.ts";
import { QueryContent } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, Table } from "../../../ui/table/table.tsx";
import { useWithoutSpam } from "../../../ui/table/without-spam.tsx";
import { Price, Usd } from "../../../ui/values/figures.tsx";
import { TokenLink } from "../../../ui/values/links.tsx";
import styles from "./wallet-balances.module.css";

const HEIGHT = 480;

/** The wallet's token balances, wherever the tokens came from. */
export function WalletBalances({ chain, wallet }: { chain: string; wallet: string }) {
  const balances = useQuery(walletBalancesQuery(chain, wallet));
  const rows = balances.data?.balances ?? NONE;
  const { visible, spamSwitch } = useWithoutSpam({ chain, rows, tokenOf: ({ token }) => token });
  const actions = (
    <>
      {spamSwitch}
      <Total balances={visible} />
    </>
  );
  return (
    <Panel title="Balances" actions={balances.data === undefined ? null : actions}>
      <QueryContent query={balances} height={HEIGHT}>
        {({ isCut }) => <Holdings chain={chain} balances={visible} isCut={isCut} />}
      </QueryContent>
    </Panel>
  );
}

const NONE: readonly Balance[] = [];

function Total({ balances }: { balances: readonly Balance[] }) {
  const valued = balances.flatMap(({ value }) => value ?? []);
  if (valued.length === 0) return null;
  const sum = valued.reduce((total, value) => total + value, 0);
  return (
    <span title="Sum of the shown balances with a price">
      <strong>{formatUsdCompact(sum)}</strong> in {formatCount(valued.length)}{" "}
      {valued.length === 1 ? "token" : "tokens"}
    </span>
  );
}

interface HoldingsProps {
  chain: string;
  balances: readonly Balance[];
  /** Whether the wallet holds more tokens. */
  isCut: boolean;
}

function Holdings({ chain, balances, isCut }: HoldingsProps) {
  const valued = balances.filter(({ value }) => value !== null);
  const unknown = balances.filter(({ value }) => value === null);
  return (
    <>
      <BalanceTable
        chain={chain}
        rows={valued}
        label="Balances of the wallet"
        empty={
          unknown.length === 0
            ? "No indexed ERC-20 tokens. Native coins are not included."
            : "None of the tokens has a price."
        }
      />
      {unknown.length === 0 ? null : (
        <details className={styles.unknown}>
          <summary>
            {formatCount(unknown.length)} {unknown.length === 1 ? "token" : "tokens"} without a value
          </summary>
          <p>Tokens without a robust price, or whose balance cannot be derived from transfers.</p>
          <BalanceTable chain={chain} rows={unknown} label="Balances without a value" empty="" />
        </details>
      )}
      {isCut ? (
        <p className={styles.cut}>
          Only the {formatCount(MAX_BALANCES)} most recently changed balances are shown and summed.
        </p>
      ) : null}
    </>
  );
}

interface BalanceTableProps {
  chain: string;
  rows: readonly Balance[];
  label: string;
  empty: string;
}

function BalanceTable({ chain, rows, label, empty }: BalanceTableProps) {
  const columns = useMemo(() => columnsOf(chain), [chain]);
  return (
    <Table
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ token }) => token}
      maxHeight={HEIGHT}
      empty={empty}
    />
  );
}

function columnsOf(chain: string): Column<Balance>[] {
  return [
    {
      title: "Token",
      sort: ({ symbol, token }) => symbol ?? token,
      cell: ({ token, symbol }) => <TokenLink chain={chain} address={token} symbol={symbol} />,
    },
    {
      title: "Value",
      align: "right",
      sort: ({ value }) => value,
      cell: ({ value }) => <Usd usd={value} />,
    },
    {
      title: "Price",
      align: "right",
      isMinor: true,
      sort: ({ price }) => price,
      cell: ({ price }) => <Price usd={price} />,
    },
    {
      title: "Balance",
      hint: "Exact to the last digit",
      align: "right",
      cell: (balance) => <Amount balance={balance} />,
    },
  ];
}

function Amount({ balance: { base, decimals } }: { balance: Balance }) {
  if (base === null) {
    return (
      <span className={styles.quiet} title={UNKNOWN_BALANCE}>
        unknown
      </span>
    );
  }
  if (decimals === null) {
    return (
      <span title="The token has no decimals">
        {formatUnits(base, null)} <span className={styles.quiet}>base units</span>
      </span>
    );
  }
  return <span className={styles.amount}>{formatUnits(base, decimals)}</span>;
}

const UNKNOWN_BALANCE =
  "The indexed transfers do not add up to a balance: earlier ones are missing, or the token's balances change without transfers";
