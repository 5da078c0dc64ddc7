import { Link } from "@tanstack/react-router";
import { shortHex } from "../../format/hex.ts";
import { formatCount } from "../../format/number.ts";
import { tokenName } from "../../format/pool.ts";
import styles from "./links.module.css";

interface ChainProps {
  chain: string;
}

/** A token's icon and name, with the full name and address in a tooltip. */
export function TokenLink({
  chain,
  address,
  symbol,
}: ChainProps & { address: string; symbol: string | null }) {
  const name = tokenName({ address, symbol });
  return (
    <Link
      to="/$chain/token/$address"
      params={{ chain, address }}
      className={styles.token}
      title={`${name} ${address}`}
    >
      <TokenMark address={address} symbol={symbol} />
      <span>{name}</span>
    </Link>
  );
}

/** A coloured disc. Its colour depends on the address, so that tokens with the same name look different. */
export function TokenMark({
  address,
  symbol,
  size = 22,
}: {
  address: string;
  symbol: string | null;
  size?: number;
}) {
  const hue = Number.parseInt(address.slice(2, 8), 16) % 360;
  return (
    <span
      className={styles.mark}
      style={{ width: size, height: size, fontSize: size * 0.5, background: `oklch(0.48 0.11 ${hue})` }}
      aria-hidden="true"
    >
      {[...(symbol ?? "?")][0]?.toUpperCase() ?? "?"}
    </span>
  );
}

export function PoolLink({
  chain,
  address,
  children,
}: ChainProps & { address: string; children?: React.ReactNode }) {
  return (
    <Link to="/$chain/pool/$address" params={{ chain, address }} title={address} className={styles.hex}>
      {children ?? shortHex(address)}
    </Link>
  );
}

export function WalletLink({ chain, address }: ChainProps & { address: string }) {
  return (
    <Link to="/$chain/wallet/$address" params={{ chain, address }} title={address} className={styles.hex}>
      {shortHex(address)}
    </Link>
  );
}

export function TransactionLink({ chain, hash }: ChainProps & { hash: string }) {
  return (
    <Link to="/$chain/tx/$hash" params={{ chain, hash }} title={hash} className={styles.hex}>
      {shortHex(hash)}
    </Link>
  );
}

export function BlockLink({ chain, number }: ChainProps & { number: number }) {
  return (
    <Link to="/$chain/block/$number" params={{ chain, number: String(number) }}>
      {formatCount(number)}
    </Link>
  );
}
