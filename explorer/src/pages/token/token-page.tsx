import { Tabs } from "@base-ui/react/tabs";
import { useQuery } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { formatUsd } from "../../format/number.ts";
import { type TokenIdentity, tokenIdentityQuery, tokenPriceQuery } from "../../queries/token/token.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Page, useTitle } from "../../ui/layout/page.tsx";
import { WalletLink } from "../../ui/values/links.tsx";
import { CandlesPanel } from "./candles-panel.tsx";
import { HoldersPanel } from "./holders-panel.tsx";
import { PoolsPanel } from "./pools-panel.tsx";
import styles from "./token.module.css";
import { TokenHead } from "./token-head.tsx";
import type { TokenChoices } from "./token-search.ts";
import { useToken, useTokenChoices } from "./token-search.ts";
import { TradesPanel } from "./trades-panel.tsx";

/** The room of a whole page until it is known what the token is. */
const HEIGHT = 900;

/** A token: its price, its candles, its trades, pools and holders. */
export function TokenPage() {
  const { chain, address } = useToken();
  const identity = useQuery(tokenIdentityQuery(chain, address));
  return (
    <QueryContent query={identity} height={HEIGHT}>
      {(known) => <Known key={`${chain} ${address}`} {...known} />}
    </QueryContent>
  );
}

function Known({ token, isPool }: TokenIdentity) {
  const { chain, address } = useToken();
  const price = useQuery(tokenPriceQuery(chain, address));
  const symbol = token?.symbol || shortHex(address);
  const usd = price.data?.price_usd ?? null;
  useTitle(`${symbol}${usd === null ? "" : ` ${formatUsd(usd)}`} · ${chain} · Quarry`);
  if (token === null) return <UnknownToken />;
  return (
    <Page>
      <TokenHead token={token} isPool={isPool} price={price} />
      <CandlesPanel symbol={symbol} />
      <TokenParts symbol={symbol} decimals={token.decimals} />
    </Page>
  );
}

function UnknownToken() {
  const { chain, address } = useToken();
  return (
    <>
      <h1 className="visually-hidden">Unknown token {address}</h1>
      <Notice>
        No token has been seen at {address} on {chain}: none moved there and none has a pool, in the blocks
        that are indexed. It may be a token of another chain, or a wallet: see{" "}
        <WalletLink chain={chain} address={address} />.
      </Notice>
    </>
  );
}

const PARTS = [
  { value: "trades", title: "Trades" },
  { value: "pools", title: "Pools" },
  { value: "holders", title: "Holders" },
] as const;

/** What there is of a token beside its price, one at a time. */
export function TokenParts({ symbol, decimals }: { symbol: string; decimals: number | null }) {
  const [{ part }, choose] = useTokenChoices();
  return (
    <Tabs.Root value={part} onValueChange={(value: TokenChoices["part"]) => choose({ part: value })}>
      <Tabs.List className={styles.tabs} aria-label={`Of ${symbol}`}>
        {PARTS.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value} className={styles.tab ?? ""}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="trades">
        <TradesPanel symbol={symbol} />
      </Tabs.Panel>
      <Tabs.Panel value="pools">
        <PoolsPanel symbol={symbol} />
      </Tabs.Panel>
      <Tabs.Panel value="holders">
        <HoldersPanel symbol={symbol} decimals={decimals} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
