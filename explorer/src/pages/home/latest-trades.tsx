import { skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parseTime } from "../../format/time.ts";
import { LATEST_TRADES, latestTradesQuery, type Trade } from "../../queries/market/market.ts";
import { Button } from "../../ui/controls/button.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Age, Price, Side, Usd } from "../../ui/values/figures.tsx";
import { TokenLink, TransactionLink, WalletLink } from "../../ui/values/links.tsx";
import styles from "./latest-trades.module.css";
import { DOUBLE_COUNT_HINT } from "./market-strip.tsx";
import { type TradeRow, tradeRows, usePausedTrades } from "./trade-rows.ts";

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 50;

/** The latest trades, live. The list pauses while the pointer or focus is on it, or on request. */
export function LatestTrades({ chain }: { chain: string | null }) {
  const options = latestTradesQuery(chain ?? "");
  const query = useQuery(chain === null ? { ...options, queryFn: skipToken } : options);
  const [isStopped, setStopped] = useState(false);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isPaused = isStopped || isHovered || isFocused;
  return (
    <Panel
      title="Latest trades"
      actions={
        <>
          <span className={styles.state}>{isPaused ? "Paused" : ""}</span>
          <Button onClick={() => setStopped(!isStopped)}>{isStopped ? "Resume" : "Pause"}</Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handlers only detect reading; there is nothing to operate */}
      <div
        className={styles.list}
        onPointerEnter={({ pointerType }) => setHovered(pointerType === "mouse")}
        onPointerLeave={() => setHovered(false)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <QueryContent query={query} height={HEADER_HEIGHT + ROW_HEIGHT * LATEST_TRADES}>
          {(trades) => <Trades chain={chain ?? ""} trades={trades} isPaused={isPaused} />}
        </QueryContent>
      </div>
    </Panel>
  );
}

function Trades({ chain, trades, isPaused }: { chain: string; trades: readonly Trade[]; isPaused: boolean }) {
  const { shown, since } = usePausedTrades(trades, isPaused);
  return (
    <Table
      label="Latest trades"
      columns={columnsOf(chain)}
      rows={tradeRows(shown, since)}
      keyOf={({ key }) => key}
      isNew={({ isNew }) => isNew}
      empty="No trades in the last 24 hours."
    />
  );
}

function columnsOf(chain: string): Column<TradeRow>[] {
  return [
    {
      title: "Token",
      hint: DOUBLE_COUNT_HINT,
      cell: ({ trade }) => (
        <TwoLines
          above={<TokenLink chain={chain} address={trade.token_address} symbol={trade.token_symbol} />}
          below={
            <>
              <Side side={trade.side} /> <Age timestamp={parseTime(trade.timestamp)} />
            </>
          }
        />
      ),
    },
    {
      title: "Value, price",
      align: "right",
      width: 102,
      cell: ({ trade }) => (
        <TwoLines above={<Usd usd={trade.amount_usd} />} below={<TradePrice trade={trade} />} />
      ),
    },
    {
      title: "Trader, tx",
      hint: "The wallet and its transaction",
      align: "right",
      width: 110,
      cell: ({ trade }) => (
        <TwoLines
          above={<WalletLink chain={chain} address={trade.trader_address} />}
          below={<TransactionLink chain={chain} hash={trade.transaction_hash} />}
        />
      ),
    },
  ];
}

function TwoLines({ above, below }: { above: React.ReactNode; below: React.ReactNode }) {
  return (
    <>
      <div>{above}</div>
      <div className={styles.below}>{below}</div>
    </>
  );
}

/** The price of a trade, struck through if it does not count towards robust prices. */
function TradePrice({ trade }: { trade: Trade }) {
  const price = <Price usd={trade.price_token_usd_tick_1} />;
  if (trade.price_token_usd_robust_tick_1 !== null || trade.price_token_usd_tick_1 === null) return price;
  return (
    <s title="Does not count towards robust prices: an outlier, or worth less than 1 US dollar">{price}</s>
  );
}
