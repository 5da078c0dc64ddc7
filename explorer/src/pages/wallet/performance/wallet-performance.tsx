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
  setWithoutStable: (isWithout: boolean) => void;
}

const HEIGHT = 52;

/** What the wallet made by trading on DEXes, and how that is counted. */
export function WalletPerformance({ scope, totals, setWithoutStable }: WalletPerformanceProps) {
  return (
    <Panel
      title="Performance"
      actions={
        <>
          <Toggle label="Without stable coins" isOn={scope.excludesStablecoins} onChange={setWithoutStable} />
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
                  ? "This wallet sent no trade of anything but stable coins."
                  : "This wallet sent no trade on an indexed DEX. What it holds and moved is below."}
              </Notice>
            ) : (
              <Figures performance={performance} />
            )
          }
        </QueryContent>
      </div>
      {scope.isNewestOnly ? (
        <p className={styles.note}>
          Counted are the newest 100,000 trades, as if there had been none before.
        </p>
      ) : null}
      <Explained />
      <Excluded scope={scope} tokens={totals.data?.excluded?.total ?? []} />
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
      <Stat name="Sold, of what was bought" hint={FIGURE_HINTS.sold}>
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

/** The same as where the pointer rests, for those who have none. */
function Explained() {
  return (
    <details className={styles.explained}>
      <summary>How these figures are counted</summary>
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
        <dt>Unknown</dt>
        <dd>{FIGURE_HINTS.unknown}</dd>
      </dl>
      <p>
        Each figure with its formula: <a href="/docs#tag/wallets">wallets in the API reference</a>.
      </p>
    </details>
  );
}

function Excluded({ scope, tokens }: { scope: WalletScope; tokens: readonly string[] }) {
  const { data: symbols } = useQuery({
    ...symbolsQuery(scope.chain, tokens),
    enabled: tokens.length > 0,
  });
  if (tokens.length === 0) return null;
  return (
    <p className={styles.note}>
      Left out, as if never traded:{" "}
      {tokens.map((token) => (
        <TokenLink key={token} chain={scope.chain} address={token} symbol={symbols?.get(token) ?? null} />
      ))}
    </p>
  );
}
