import { Tabs } from "@base-ui/react/tabs";
import { useQuery } from "@tanstack/react-query";
import { formatUsd } from "../../format/number.ts";
import { tokenName } from "../../format/pool.ts";
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

/** Height reserved until the token is loaded. */
const HEIGHT = 900;

/** A token's price, candles, trades, pools and holders. */
export function TokenPage() {
  const { chain, address } = useToken();
  const identity = useQuery(tokenIdentityQuery(chain, address));
  return (
    <QueryContent query={identity} height={HEIGHT}>
      {(identity) => <LoadedToken key={`${chain} ${address}`} {...identity} />}
    </QueryContent>
  );
}

function LoadedToken({ token, isPool }: TokenIdentity) {
  const { chain, address } = useToken();
  const price = useQuery(tokenPriceQuery(chain, address));
  const symbol = tokenName({ address, symbol: token?.symbol ?? null });
  const usd = price.data?.price_usd ?? null;
  useTitle(`${symbol}${usd === null ? "" : ` ${formatUsd(usd)}`} · ${chain} · Quarry`);
  if (token === null) return <UnknownToken />;
  return (
    <Page>
      <TokenHead token={token} isPool={isPool} price={price} />
      <CandlesPanel symbol={symbol} />
      <TokenTabs symbol={symbol} decimals={token.decimals} />
    </Page>
  );
}

function UnknownToken() {
  const { chain, address } = useToken();
  return (
    <>
      <h1 className="visually-hidden">Unknown token {address}</h1>
      <Notice>
        No token at {address} is indexed on {chain}: the indexed blocks contain no transfers or pools of this
        token. It may be a token on another chain, or a wallet: view{" "}
        <WalletLink chain={chain} address={address} />.
      </Notice>
    </>
  );
}

const TABS = [
  { value: "trades", title: "Trades" },
  { value: "pools", title: "Pools" },
  { value: "holders", title: "Holders" },
] as const;

/** Tabs for trades, pools and holders. */
function TokenTabs({ symbol, decimals }: { symbol: string; decimals: number | null }) {
  const [{ part }, setChoices] = useTokenChoices();
  return (
    <Tabs.Root value={part} onValueChange={(value: TokenChoices["part"]) => setChoices({ part: value })}>
      <Tabs.List className={styles.tabs} aria-label={`${symbol} details`}>
        {TABS.map(({ value, title }) => (
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
