import type { WalletTotals } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatCount, UNKNOWN } from "../../format/number.ts";
import { addressKindQuery } from "../../queries/wallet/address-kind.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Stat, Stats } from "../../ui/layout/stat.tsx";
import { Ago } from "../../ui/values/figures.tsx";
import styles from "./wallet-head.module.css";

interface WalletHeadProps {
  chain: string;
  wallet: string;
  /** Undefined until loaded; null if the wallet has more trades than the API's limit. */
  totals: WalletTotals | null | undefined;
}

/** The wallet's address, first and last trade, and counts. */
export function WalletHead({ chain, wallet, totals }: WalletHeadProps) {
  const first = totals?.first_trade_timestamp ?? null;
  const last = totals?.last_trade_timestamp ?? null;
  return (
    <header className={styles.head}>
      <div>
        <h1>Wallet</h1>
        <p className={styles.address}>
          <span>{wallet}</span>
          <CopyButton text={wallet} what="address" />
        </p>
        <OtherPages chain={chain} address={wallet} />
      </div>
      <Stats>
        <Stat name="First trade">{first === null ? UNKNOWN : <Ago timestamp={first} />}</Stat>
        <Stat name="Last trade">{last === null ? UNKNOWN : <Ago timestamp={last} />}</Stat>
        <Stat
          name="Trades"
          hint="A swap between two tokens counts as two trades: a sale of one and a purchase of the other"
        >
          {totals === null ? "Over 100,000" : formatCount(totals?.total_trades)}
        </Stat>
        <Stat name="Tokens traded">{formatCount(totals?.total_tokens_traded)}</Stat>
      </Stats>
    </header>
  );
}

/** Links to the pool or token at this address, if there is one. */
function OtherPages({ chain, address }: { chain: string; address: string }) {
  const { data } = useQuery(addressKindQuery(chain, address));
  return (
    <p className={styles.other}>
      {data?.isPool ? <OtherPage chain={chain} address={address} kind="pool" /> : null}{" "}
      {data?.isToken ? <OtherPage chain={chain} address={address} kind="token" /> : null}
    </p>
  );
}

function OtherPage({ chain, address, kind }: { chain: string; address: string; kind: "pool" | "token" }) {
  return (
    <>
      This address is a {kind}.{" "}
      <Link to={`/$chain/${kind}/$address`} params={{ chain, address }}>
        View {kind}
      </Link>
    </>
  );
}
