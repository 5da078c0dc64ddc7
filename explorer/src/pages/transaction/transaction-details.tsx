import { Link } from "@tanstack/react-router";
import { formatCount, formatExact, formatInteger, formatUsd, UNKNOWN } from "../../format/number.ts";
import { formatTime, parseTime } from "../../format/time.ts";
import { formatGwei, formatUnits, percentOfGas } from "../../format/units.ts";
import type { Transaction } from "../../queries/chain/transactions.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Detail, Details, Hex } from "../../ui/layout/details.tsx";
import { Ago } from "../../ui/values/figures.tsx";
import { BlockLink } from "../../ui/values/links.tsx";
import styles from "./transaction-page.module.css";

export function TransactionDetails({ chain, transaction }: { chain: string; transaction: Transaction }) {
  const { from_address, to_address, contract_address, block_number } = transaction;
  const at = parseTime(transaction.timestamp);
  return (
    <Details>
      <Detail name="Hash">
        <Hex text={transaction.transaction_hash} what="transaction hash" />
      </Detail>
      <Detail name="Block">
        <BlockLink chain={chain} number={block_number} />
        <span className={styles.quiet}>index {formatCount(transaction.transaction_index)}</span>
      </Detail>
      <Detail name="Time">
        {formatTime(at)} UTC
        <span className={styles.quiet}>
          (<Ago timestamp={at} />)
        </span>
      </Detail>
      <Detail name="From">
        <Party chain={chain} address={from_address} what="sender" />
      </Detail>
      <Detail name="To">
        {to_address === null ? (
          <>
            New contract
            {contract_address === null ? null : (
              <Party chain={chain} address={contract_address} what="contract" />
            )}
          </>
        ) : (
          <Party chain={chain} address={to_address} what="receiver" />
        )}
      </Detail>
      <Money chain={chain} transaction={transaction} />
      <Gas transaction={transaction} />
      <Detail name="Nonce" hint="Number of earlier transactions of the sender.">
        {formatCount(transaction.nonce)}
      </Detail>
      <Detail name="Method" hint="First four bytes of the input.">
        {transaction.method_id === null ? "None" : <code>{transaction.method_id}</code>}
      </Detail>
      <Detail name="Input">
        {transaction.input === undefined ? "Not stored by this index" : <Input bytes={transaction.input} />}
      </Detail>
    </Details>
  );
}

function Party({ chain, address, what }: { chain: string; address: string; what: string }) {
  return (
    <span className={styles.party}>
      <Link to="/$chain/wallet/$address" params={{ chain, address }}>
        <code>{address}</code>
      </Link>
      <CopyButton text={address} what={what} />
    </span>
  );
}

function Money({ chain, transaction }: { chain: string; transaction: Transaction }) {
  const { value_base, transaction_fee_eth, transaction_fee_usd } = transaction;
  const coin = useChainStatus(chain)?.native_coin;
  if (coin === undefined) return null;
  return (
    <>
      <Detail name="Value">
        {formatUnits(value_base, coin.decimals)} {coin.symbol}
        <span className={styles.quiet} title="At the reference price before the transaction">
          {formatUsd(valueUsd(transaction))}
        </span>
      </Detail>
      <Detail name="Fee" hint="Total paid by the sender: gas and, on rollups, L1 data fees.">
        {formatExact(transaction_fee_eth)} {coin.symbol}
        <span className={styles.quiet} title="At the reference price before the transaction">
          {formatUsd(transaction_fee_usd)}
        </span>
      </Detail>
    </>
  );
}

/**
 * Returns the transaction's value in US dollars; null if unknown. The price of the coin follows from the fee,
 * which is reported in both currencies. Without a fee, the value is unknown.
 */
function valueUsd(transaction: Transaction): number | null {
  const { value_eth, transaction_fee_eth, transaction_fee_usd } = transaction;
  if (value_eth === 0) return 0;
  if (transaction_fee_usd === null || transaction_fee_eth === 0) return null;
  return value_eth * (transaction_fee_usd / transaction_fee_eth);
}

function Gas({ transaction }: { transaction: Transaction }) {
  const { gas_used, gas_limit, gas_price, max_fee_per_gas, max_priority_fee_per_gas, type } = transaction;
  const percent = percentOfGas(gas_used, gas_limit);
  return (
    <>
      <Detail name="Gas used">
        {formatCount(gas_used)} of {formatInteger(String(gas_limit))} ({percent.toFixed(2)} %)
      </Detail>
      <Detail name="Gas price" hint="Price paid per unit of gas.">
        {formatGwei(gas_price)}
        {max_fee_per_gas === null ? null : (
          <span className={styles.quiet}>
            max {formatGwei(max_fee_per_gas)}, max priority fee{" "}
            {max_priority_fee_per_gas === null ? UNKNOWN : formatGwei(max_priority_fee_per_gas)}
          </span>
        )}
        <span className={styles.quiet}>{TYPES[type] ?? `Type ${type}`}</span>
      </Detail>
    </>
  );
}

const TYPES: Readonly<Record<number, string>> = {
  0: "Legacy",
  1: "Access list (EIP-2930)",
  2: "EIP-1559",
  3: "Blobs (EIP-4844)",
  4: "Set code (EIP-7702)",
};

function Input({ bytes }: { bytes: string }) {
  if (bytes === "0x") return "None";
  const count = formatInteger(String((bytes.length - 2) / 2));
  return (
    <>
      <details className={styles.input}>
        <summary>{count} bytes</summary>
        <code className={styles.bytes}>{bytes}</code>
      </details>
      <CopyButton text={bytes} what="input" />
    </>
  );
}
