import { Link } from "@tanstack/react-router";
import { formatCount, formatInteger } from "../../format/number.ts";
import { formatTime } from "../../format/time.ts";
import { formatGwei, percentOfGas } from "../../format/units.ts";
import type { Block } from "../../queries/chain/block.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Detail, Details, Hex } from "../../ui/layout/details.tsx";
import { Ago } from "../../ui/values/figures.tsx";
import styles from "./block-page.module.css";

/** The fields of a block's header. `at` is its time in unix seconds. */
export function BlockDetails({ chain, block, at }: { chain: string; block: Block; at: number }) {
  const { block_number, parent_hash, miner, base_fee_per_gas, size, extra_data } = block;
  return (
    <Details>
      <Detail name="Time">
        {formatTime(at)} UTC
        <span>
          (<Ago timestamp={at} />)
        </span>
      </Detail>
      <Detail name="Hash">
        <Hex text={block.block_hash} what="block hash" />
      </Detail>
      <Detail name="Parent">
        {block_number === 0 ? (
          "None: this is the first block"
        ) : (
          <>
            <Link to="/$chain/block/$number" params={{ chain, number: String(block_number - 1) }}>
              <code>{parent_hash}</code>
            </Link>
            <CopyButton text={parent_hash} what="parent hash" />
          </>
        )}
      </Detail>
      <Detail name="Gas used">
        <GasUse block={block} />
      </Detail>
      <Detail name="Base fee" hint="Minimum price per unit of gas; it is burned.">
        {base_fee_per_gas === null
          ? "None: the block is older than the London fork"
          : formatGwei(base_fee_per_gas)}
      </Detail>
      <Detail name="Fee recipient" hint="The block's miner or proposer, which receives its fees.">
        <Link to="/$chain/wallet/$address" params={{ chain, address: miner }}>
          <code>{miner}</code>
        </Link>
        <CopyButton text={miner} what="fee recipient" />
      </Detail>
      <Detail name="Size">{size === 0 ? "Not reported by the node" : `${formatCount(size)} bytes`}</Detail>
      <Detail name="Extra data">
        {extra_data === "0x" ? "None" : <Hex text={extra_data} what="extra data" />}
      </Detail>
      <Detail name="Transactions">{formatCount(block.transaction_count)}</Detail>
    </Details>
  );
}

function GasUse({ block: { gas_used, gas_limit } }: { block: Block }) {
  const percent = percentOfGas(gas_used, gas_limit);
  return (
    <>
      <span>
        {formatCount(gas_used)} of {formatInteger(String(gas_limit))} ({percent.toFixed(2)} %)
      </span>
      <span className={styles.gas} aria-hidden="true">
        <span className={styles.used} style={{ width: `${percent}%` }} />
      </span>
    </>
  );
}
