import type { TokenPerformance } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { Legend } from "../../../charts/legend.tsx";
import { type WalletScope, walletTokensQuery } from "../../../queries/wallet/wallet.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { QueryContent } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Profit } from "../../../ui/values/figures.tsx";
import { TokenLink } from "../../../ui/values/links.tsx";
import { byAbsoluteProfit, type Profits } from "./profit-order.ts";
import styles from "./wallet-profit.module.css";

/** Maximum number of tokens shown. They are the tokens with the largest profits and losses. */
const MAX_TOKENS = 10;
const HEIGHT = 360;

type PricedToken = TokenPerformance & Profits;

/** The tokens with the largest profits and losses. */
export function WalletProfit({ scope }: { scope: WalletScope }) {
  const tokens = useQuery(walletTokensQuery(scope));
  return (
    <Panel title="Profit by token">
      <QueryContent query={tokens} height={HEIGHT}>
        {(all) => <Bars chain={scope.chain} all={all} />}
      </QueryContent>
    </Panel>
  );
}

function Bars({ chain, all }: { chain: string; all: readonly TokenPerformance[] }) {
  const priced = all.filter(isPriced);
  const shown = priced.toSorted(byAbsoluteProfit).slice(0, MAX_TOKENS);
  const largest = Math.max(...shown.map(longestOf));
  if (shown.length === 0) return <Notice>The profit is unknown for all tokens.</Notice>;
  return (
    <>
      <Legend
        items={[
          { name: "Realized", colour: "accent" },
          { name: "Unrealized", colour: "quiet" },
        ]}
      />
      <ul className={styles.bars}>
        {shown.map((token) => (
          <Bar key={token.token_address} chain={chain} token={token} largest={largest} />
        ))}
      </ul>
      <p className={styles.note}>{noteOf(all.length, priced.length)}</p>
    </>
  );
}

function noteOf(all: number, priced: number): string {
  const shown =
    priced > MAX_TOKENS
      ? `The ${MAX_TOKENS} of ${priced} tokens with the largest profits and losses; see the table below for all.`
      : "All tokens.";
  return priced === all ? shown : `${shown} The profit of ${all - priced} more is unknown.`;
}

/** Losses extend to the left of the centre, profits to the right. */
function Bar({ chain, token, largest }: { chain: string; token: PricedToken; largest: number }) {
  const { realized_profit: realized, unrealized_profit: unrealized } = token;
  return (
    <li className={styles.row}>
      <TokenLink chain={chain} address={token.token_address} symbol={token.token_symbol} />
      <span className={styles.track} aria-hidden="true">
        <BarSegment usd={realized} largest={largest} kind="realized" />
        <BarSegment usd={unrealized} largest={largest} kind="unrealized" />
      </span>
      <span className={styles.figure}>
        <Profit usd={token.total_profit} />
      </span>
    </li>
  );
}

function BarSegment({ usd, largest, kind }: { usd: number; largest: number; kind: string }) {
  const share = largest === 0 ? 0 : (Math.abs(usd) / largest) * 50;
  const left = usd < 0 ? 50 - share : 50;
  return <span className={styles.piece} data-kind={kind} style={{ left: `${left}%`, width: `${share}%` }} />;
}

function isPriced(token: TokenPerformance): token is PricedToken {
  return token.realized_profit !== null && token.unrealized_profit !== null;
}

function longestOf({ realized_profit, unrealized_profit }: Profits): number {
  return Math.max(Math.abs(realized_profit), Math.abs(unrealized_profit));
}
