import type { SqlValue } from "@quarry/sdk";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ADDRESS, HASH, POOL, shortHex } from "../../../format/hex.ts";
import { formatInteger } from "../../../format/number.ts";
import { BlockLink, PoolLink, TransactionLink, WalletLink } from "../../../ui/values/links.tsx";
import type { Kind } from "./result-columns.ts";
import styles from "./result-table.module.css";

/** A value formatted according to the kind of its column: exact, and linked if it has a page. */
export function ResultCell({ value, kind, chain }: { value: SqlValue; kind: Kind; chain: string | null }) {
  if (value === null) return <span className={styles.null}>null</span>;
  const text = String(value);
  return (chain === null ? null : linkOf({ text, kind, chain })) ?? format(text, kind);
}

function linkOf({ text, kind, chain }: { text: string; kind: Kind; chain: string }): ReactNode {
  if (kind === "block") return <BlockLink chain={chain} number={Number(text)} />;
  if (kind === "transaction" && HASH.test(text)) return <TransactionLink chain={chain} hash={text} />;
  if (kind === "pool" && POOL.test(text)) return <PoolLink chain={chain} address={text} />;
  if (!ADDRESS.test(text)) return null;
  if (kind === "token") return <TokenAddress chain={chain} address={text} />;
  return kind === "wallet" ? <WalletLink chain={chain} address={text} /> : null;
}

function TokenAddress({ chain, address }: { chain: string; address: string }) {
  return (
    <Link to="/$chain/token/$address" params={{ chain, address }} className={styles.hex}>
      {shortHex(address)}
    </Link>
  );
}

function format(text: string, kind: Kind): string {
  if (kind === "number") return grouped(text);
  if (kind === "time") return text.replace("T", " ").replace(/(\.000)?Z$/, "");
  return ADDRESS.test(text) || HASH.test(text) ? shortHex(text) : text;
}

/** Groups the digits before the decimal point by three; `1e-9` stays unchanged. */
function grouped(digits: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(.*)$/.exec(digits) ?? [];
  return whole === "" ? digits : `${sign === "" ? "" : "−"}${formatInteger(whole)}${rest}`;
}
