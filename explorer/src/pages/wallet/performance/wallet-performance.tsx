import type { WalletTotals } from "@quarry/sdk";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { formatCount, formatShare, shareOf } from "../../../format/number.ts";
import { symbolsQuery } from "../../../queries/chain/transactions.ts";
import { performanceParameters, type WalletScope } from "../../../queries/wallet/wallet.ts";
import { Toggle } from "../../../ui/controls/choice.tsx";
import { CopyRequest } from "../../../ui/controls/copy-request.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { QueryContent } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Stat, Stats } from "../../../ui/layout/stat.tsx";
import { Change, Profit, Usd } from "../../../ui/values/figures.tsx";
import { TokenLink } from "../../../ui/values/links.tsx";
import { FIGURE_HINTS } from "./figure-hints.ts";
import styles from "./wallet-performance.module.css";

interface WalletPerformanceProps {
  scope: WalletScope;
  totals: UseQueryResult<WalletTotals | null>;
  setExcludesStablecoins: (excludes: boolean) => void;
}

const HEIGHT = 52;

/** The wallet's profit from trading on DEXes, and how it is calculated. */
export function WalletPerformance({ scope, totals, setExcludesStablecoins }: WalletPerformanceProps) {
  return (
    <Panel
      title="Performance"
      actions={
        <>
          <Toggle
            label="Exclude stablecoins"
            isOn={scope.excludesStablecoins}
            onChange={setExcludesStablecoins}
          />
          <CopyRequest
            what="figures"
            request={{ method: "walletPerformance", parameters: performanceParameters(scope) }}
          />
        </>
      }
    >
      <div className={styles.body}>
        <QueryContent query={totals} height={HEIGHT}>
          {(performance) =>
            performance === null || performance.total_trades === 0 ? (
              <Notice>
                {scope.excludesStablecoins
                  ? "This wallet traded only stablecoins."
                  : "No trades on an indexed DEX. Balances and transfers are below."}
              </Notice>
            ) : (
              <Figures performance={performance} />
            )
          }
        </QueryContent>
      </div>
      {scope.isNewestOnly ? <p className={styles.note}>Includes only the latest 100,000 trades.</p> : null}
      <Explanation />
      <ExcludedTokens scope={scope} tokens={totals.data?.excluded?.total ?? []} />
    </Panel>
  );
}

function Figures({ performance }: { performance: WalletTotals }) {
  return (
    <Stats>
      <Stat name="Total profit" hint={FIGURE_HINTS.total}>
        <strong className={styles.total}>
          <Profit usd={performance.total_profit} />
        </strong>
      </Stat>
      <Stat name="Return" hint={FIGURE_HINTS.return}>
        <Change share={shareOf(performance.total_return)} />
      </Stat>
      <Stat name="Realized" hint={FIGURE_HINTS.realized}>
        <Profit usd={performance.realized_profit} />
      </Stat>
      <Stat name="Unrealized" hint={FIGURE_HINTS.unrealized}>
        <Profit usd={performance.unrealized_profit} />
      </Stat>
      <Stat name="Win rate" hint={FIGURE_HINTS.winRate}>
        {formatShare(performance.total_buys === 0 ? null : performance.win_rate)}
      </Stat>
      <Stat name="Bought" hint={FIGURE_HINTS.bought}>
        <Usd usd={performance.total_buy_volume} />
      </Stat>
      <Stat name="Sold" hint={FIGURE_HINTS.sold}>
        <Usd usd={performance.total_sell_volume} />
      </Stat>
      <Stat name="Still held" hint={FIGURE_HINTS.held}>
        <Usd usd={performance.unrealized_value} />
      </Stat>
      <Stat name="Buys / sells">
        {formatCount(performance.total_buys)} / {formatCount(performance.total_sells)}
      </Stat>
    </Stats>
  );
}

/** Shows the hints of the figures as text, for devices without a pointer. */
function Explanation() {
  return (
    <details className={styles.explained}>
      <summary>How these figures are calculated</summary>
      <dl>
        <dt>Trades</dt>
        <dd>{FIGURE_HINTS.trades}</dd>
        <dt>Total profit</dt>
        <dd>{FIGURE_HINTS.total}</dd>
        <dt>Realized</dt>
        <dd>{FIGURE_HINTS.realized}</dd>
        <dt>Unrealized</dt>
        <dd>{FIGURE_HINTS.unrealized}</dd>
        <dt>Return</dt>
        <dd>{FIGURE_HINTS.return}</dd>
        <dt>Win rate</dt>
        <dd>{FIGURE_HINTS.winRate}</dd>
        <dt>Bought and sold</dt>
        <dd>
          {FIGURE_HINTS.bought} {FIGURE_HINTS.sold}
        </dd>
        <dt>Unknown values</dt>
        <dd>{FIGURE_HINTS.unknown}</dd>
      </dl>
      <p>
        For the formulas, see <a href="/docs#tag/wallets">wallets in the API reference</a>.
      </p>
    </details>
  );
}

function ExcludedTokens({ scope, tokens }: { scope: WalletScope; tokens: readonly string[] }) {
  const { data: symbols } = useQuery({
    ...symbolsQuery(scope.chain, tokens),
    enabled: tokens.length > 0,
  });
  if (tokens.length === 0) return null;
  return (
    <p className={styles.note}>
      Excluded:{" "}
      {tokens.map((token) => (
        <TokenLink key={token} chain={scope.chain} address={token} symbol={symbols?.get(token) ?? null} />
      ))}
    </p>
  );
}
