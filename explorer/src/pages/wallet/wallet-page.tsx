import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { KeptPanel } from "../../features/records/kept-panel.tsx";
import { shortHex } from "../../format/hex.ts";
import { walletTotalsQuery } from "../../queries/wallet/wallet.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Page, useTitle } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { WalletBalances } from "./activity/wallet-balances.tsx";
import { WalletTrades } from "./activity/wallet-trades.tsx";
import { WalletTransactions } from "./activity/wallet-transactions.tsx";
import { WalletTransfers } from "./activity/wallet-transfers.tsx";
import { WalletFlow } from "./performance/wallet-flow.tsx";
import { WalletPerformance } from "./performance/wallet-performance.tsx";
import { WalletProfit } from "./performance/wallet-profit.tsx";
import { WalletTokens } from "./performance/wallet-tokens.tsx";
import { WalletHead } from "./wallet-head.tsx";
import styles from "./wallet-page.module.css";

const route = getRouteApi("/$chain/wallet/$address");

export function WalletPage() {
  const { chain, address } = route.useParams();
  return <Wallet key={`${chain} ${address}`} chain={chain} wallet={address} />;
}

function Wallet({ chain, wallet }: { chain: string; wallet: string }) {
  const excludesStablecoins = route.useSearch().total_exclude === true;
  const navigate = route.useNavigate();
  const setExcludesStablecoins = (excludes: boolean) =>
    void navigate({ search: excludes ? { total_exclude: true } : {}, resetScroll: false });
  const [isNewestOnly, setNewestOnly] = useState(false);
  const scope = { chain, wallet, excludesStablecoins, isNewestOnly };
  const totals = useQuery(walletTotalsQuery(scope));
  useTitle(`Wallet ${shortHex(wallet)} · Quarry`);
  // The page's head always counts all trades, even if the performance excludes some.
  const all = useQuery(walletTotalsQuery({ ...scope, excludesStablecoins: false, isNewestOnly: false }));
  const counted = useQuery(walletTotalsQuery({ ...scope, excludesStablecoins: false }));
  const hasTooManyTrades = totals.data === null;
  const hasTraded = (all.data?.total_trades ?? 1) > 0;
  return (
    <Page>
      <WalletHead chain={chain} wallet={wallet} totals={all.data} />
      {hasTooManyTrades ? (
        <TooManyTrades showLatest={() => setNewestOnly(true)} />
      ) : (
        <WalletPerformance scope={scope} totals={totals} setExcludesStablecoins={setExcludesStablecoins} />
      )}
      {hasTooManyTrades || !hasTraded ? null : (
        <>
          <div className={styles.pair}>
            <WalletProfit scope={scope} />
            <WalletFlow scope={scope} totals={counted.data} />
          </div>
          <WalletTokens scope={scope} />
        </>
      )}
      <WalletTrades chain={chain} wallet={wallet} />
      <div className={`${styles.pair} ${styles.lists}`}>
        <WalletBalances chain={chain} wallet={wallet} />
        <KeptPanel chain={chain} table="erc20" title="Latest transfers">
          <WalletTransfers chain={chain} wallet={wallet} />
        </KeptPanel>
      </div>
      <KeptPanel chain={chain} table="transactions" title="Latest transactions">
        <WalletTransactions chain={chain} wallet={wallet} />
      </KeptPanel>
    </Page>
  );
}

function TooManyTrades({ showLatest }: { showLatest: () => void }) {
  return (
    <Panel title="Performance">
      <Notice>
        This wallet has more than 100,000 trades, the limit of one request. Its profit can be calculated only
        from its latest 100,000 trades; sales of tokens bought earlier are then not counted.
      </Notice>
      <div className={styles.choice}>
        <Button weight="primary" onClick={showLatest}>
          Use the latest 100,000 trades
        </Button>
      </div>
    </Panel>
  );
}
