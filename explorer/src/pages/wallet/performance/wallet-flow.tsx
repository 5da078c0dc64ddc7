import type { WalletTotals } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ColumnSeries } from "../../../charts/column-series.tsx";
import { Legend } from "../../../charts/legend.tsx";
import { LineSeries } from "../../../charts/line-series.tsx";
import { TimeChart } from "../../../charts/time-chart.tsx";
import { formatCount, formatUsdCompact } from "../../../format/number.ts";
import { HOUR_SECONDS } from "../../../format/time.ts";
import { useRollbacks } from "../../../queries/chain/use-chain.ts";
import { type Flow, flowPeriod } from "../../../queries/wallet/flow-periods.ts";
import type { WalletScope } from "../../../queries/wallet/wallet.ts";
import { type WalletFlowOptions, walletFlowQuery } from "../../../queries/wallet/wallet-flow.ts";
import { QueryContent, Skeleton } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import styles from "./wallet-flow.module.css";

const HEIGHT = 260;

const NEWEST_ONLY = "Begins with the earliest of the latest 100,000 trades.";

interface WalletFlowProps {
  scope: WalletScope;
  /** Totals of the trades that count, including trades of stablecoins. */
  totals: WalletTotals | null | undefined;
}

/** Cash paid and received over time. This is not profit, because the tokens still held also have a value. */
export function WalletFlow({ scope, totals }: WalletFlowProps) {
  const { chain, wallet, isNewestOnly } = scope;
  const first = totals?.first_trade_timestamp;
  const last = totals?.last_trade_timestamp;
  const isKnown = typeof first === "number" && typeof last === "number";
  return (
    <Panel title="Cash flow">
      {isKnown ? <LoadedFlow options={{ chain, wallet, first, last }} /> : <Skeleton height={HEIGHT + 90} />}
      {isNewestOnly ? <p className={styles.note}>{NEWEST_ONLY}</p> : null}
    </Panel>
  );
}

function LoadedFlow({ options }: { options: WalletFlowOptions }) {
  const flow = useQuery(walletFlowQuery(options, useRollbacks(options.chain)));
  const hours = flowPeriod(options.first, options.last).seconds / HOUR_SECONDS;
  const period = hours < 24 ? `${hours} h` : `${hours / 24} d`;
  return (
    <QueryContent query={flow} height={HEIGHT + 90}>
      {(flows) => (
        <>
          <Legend
            items={[
              { name: "Received from sales", colour: "up" },
              { name: "Paid for purchases", colour: "down" },
              { name: "Cumulative net", colour: "accent" },
            ]}
          />
          <FlowChart flows={flows} label={`Cash flow of the wallet per ${period}`} />
          <p className={styles.note}>
            Each column covers {period}. Includes all trades, even sales of tokens received from elsewhere.
            <Unvalued count={flows.reduce((sum, { unvalued }) => sum + unvalued, 0)} />
          </p>
        </>
      )}
    </QueryContent>
  );
}

function Unvalued({ count }: { count: number }) {
  if (count === 0) return null;
  return ` Excludes ${formatCount(count)} ${count === 1 ? "trade" : "trades"} of unknown value.`;
}

function FlowChart({ flows, label }: { flows: readonly Flow[]; label: string }) {
  const { sold, bought, net } = useMemo(() => {
    let sum = 0;
    return {
      sold: flows.map(({ time, sold }) => ({ time, value: sold })),
      bought: flows.map(({ time, bought }) => ({ time, value: -bought })),
      net: flows.map(({ time, sold, bought }) => {
        sum += sold - bought;
        return { time, value: sum };
      }),
    };
  }, [flows]);
  return (
    <TimeChart label={label} height={HEIGHT}>
      <ColumnSeries points={sold} format={formatUsdCompact} colour="up" />
      <ColumnSeries points={bought} format={formatUsdCompact} colour="down" />
      <LineSeries points={net} format={formatUsdCompact} />
    </TimeChart>
  );
}
