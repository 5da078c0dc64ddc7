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
import { DOUBLE_COUNT_HINT } from "./market-strip.tsx";
import styles from "./newest-trades.module.css";
import { type Placed, placed, usePausedTrades } from "./trade-rows.ts";

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 50;

/** Trades as they come. They stand still while one points at them, is in them by keyboard, or asked for it. */
export function LatestTrades({ chain }: { chain: string | null }) {
  const asked = latestTradesQuery(chain ?? "");
  const query = useQuery(chain === null ? { ...asked, queryFn: skipToken } : asked);
  const [isStopped, stop] = useState(false);
  const [isPointed, point] = useState(false);
  const [isFocused, focus] = useState(false);
  const isHeld = isStopped || isPointed || isFocused;
  return (
    <Panel
      title="Newest trades"
      actions={
        <>
          <span className={styles.state}>{isHeld ? "Paused" : ""}</span>
          <Button onClick={() => stop(!isStopped)}>{isStopped ? "Resume" : "Pause"}</Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notices that one reads, and does nothing */}
      <div
        className={styles.list}
        onPointerEnter={({ pointerType }) => point(pointerType === "mouse")}
        onPointerLeave={() => point(false)}
        onFocus={() => focus(true)}
        onBlur={() => focus(false)}
      >
        <QueryContent query={query} height={HEADER_HEIGHT + ROW_HEIGHT * LATEST_TRADES}>
          {(trades) => <Trades chain={chain ?? ""} trades={trades} isHeld={isHeld} />}
        </QueryContent>
      </div>
    </Panel>
  );
}

function Trades({ chain, trades, isHeld }: { chain: string; trades: readonly Trade[]; isHeld: boolean }) {
  const { shown, since } = usePausedTrades(trades, isHeld);
  return (
    <Table
      label="Newest trades"
      columns={columnsOf(chain)}
      rows={placed(shown, since)}
      keyOf={({ key }) => key}
      isNew={({ isNew }) => isNew}
      empty="Nothing was traded in the last 24 hours."
    />
  );
}

function columnsOf(chain: string): Column<Placed>[] {
  return [
    {
      title: "Token",
      hint: DOUBLE_COUNT_HINT,
      cell: ({ trade }) => (
        <Two
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
        <Two above={<Usd usd={trade.amount_usd} />} below={<TradePrice trade={trade} />} />
      ),
    },
    {
      title: "Trader, tx",
      hint: "The wallet, and its transaction",
      align: "right",
      width: 110,
      cell: ({ trade }) => (
        <Two
          above={<WalletLink chain={chain} address={trade.trader_address} />}
          below={<TransactionLink chain={chain} hash={trade.transaction_hash} />}
        />
      ),
    },
  ];
}

function Two({ above, below }: { above: React.ReactNode; below: React.ReactNode }) {
  return (
    <>
      <div>{above}</div>
      <div className={styles.below}>{below}</div>
    </>
  );
}

/** What was paid in this trade; struck through where it is an outlier, which no robust price follows. */
function TradePrice({ trade }: { trade: Trade }) {
  const price = <Price usd={trade.price_token_usd_tick_1} />;
  if (trade.price_token_usd_robust_tick_1 !== null || trade.price_token_usd_tick_1 === null) return price;
  return <s title="An outlier, or worth less than a dollar: robust prices do not follow it">{price}</s>;
}
