import type { WalletTotals } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ColumnSeries } from "../../../charts/column-series.tsx";
import { Legend } from "../../../charts/legend.tsx";
import { LineSeries } from "../../../charts/line-series.tsx";
import { TimeChart } from "../../../charts/time-chart.tsx";
import { formatCount, formatUsdCompact } from "../../../format/number.ts";
import { HOUR_SECONDS } from "../../../format/time.ts";
import { type Flow, flowPeriod } from "../../../queries/wallet/flow-periods.ts";
import { type WalletFlowOptions, walletFlowQuery } from "../../../queries/wallet/wallet-flow.ts";
import { QueryContent, Skeleton } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import styles from "./wallet-flow.module.css";

const HEIGHT = 260;

interface WalletFlowProps {
  chain: string;
  wallet: string;
  totals: WalletTotals | null | undefined;
}

/** What was paid and received over time. It is cash, not profit: what is held at the end is worth something too. */
export function WalletFlow({ chain, wallet, totals }: WalletFlowProps) {
  const first = totals?.first_trade_timestamp;
  const last = totals?.last_trade_timestamp;
  const isKnown = typeof first === "number" && typeof last === "number";
  return (
    <Panel title="Cash flow">
      {isKnown ? <KnownFlow question={{ chain, wallet, first, last }} /> : <Skeleton height={HEIGHT + 90} />}
    </Panel>
  );
}

function KnownFlow({ question }: { question: WalletFlowOptions }) {
  const flow = useQuery(walletFlowQuery(question));
  const hours = flowPeriod(question.first, question.last).seconds / HOUR_SECONDS;
  const period = hours < 24 ? `${hours} h` : `${hours / 24} d`;
  return (
    <QueryContent query={flow} height={HEIGHT + 90}>
      {(flows) => (
        <>
          <Legend
            items={[
              { name: "Received in sales", colour: "up" },
              { name: "Paid in purchases", colour: "down" },
              { name: "Received less paid, so far", colour: "accent" },
            ]}
          />
          <FlowChart flows={flows} label={`Cash flow of the wallet, each ${period}`} />
          <p className={styles.note}>
            Each column is {period}. All trades of all tokens count, also sales of what came from elsewhere.
            <Unvalued count={flows.reduce((sum, { unvalued }) => sum + unvalued, 0)} />
          </p>
        </>
      )}
    </QueryContent>
  );
}

function Unvalued({ count }: { count: number }) {
  if (count === 0) return null;
  return ` Trades of unknown value, which are in no column: ${formatCount(count)}.`;
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
