import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { secondsOf } from "../../format/time.ts";
import {
  newestTokenTradesQuestion,
  olderTokenTradesQuestion,
  type Place,
  type TokenTrade,
  TRADES_PER_PAGE,
  type TradeChoice,
  tradesSql,
} from "../../questions/token-trades.ts";
import { Answered } from "../../ui/answered.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RequestCopy } from "../../ui/request-copy.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./token.module.css";
import { useToken, useTokenChoices } from "./token-choices.ts";
import { useTradeColumns } from "./trade-columns.tsx";
import { TradeFilters } from "./trade-filters.tsx";

const HEIGHT = 36 + TRADES_PER_PAGE * 40;

export function TradesPanel({ symbol }: { symbol: string }) {
  const { chain, address: token } = useToken();
  const [{ side, min_usd: minUsd, pool_address: pool, trader }] = useTokenChoices();
  const choice: TradeChoice = { chain, token, side, minUsd, pool, trader };
  return (
    <Panel
      title="Newest trades"
      actions={<RequestCopy what="trades" request={{ method: "sql", question: tradesSql(choice).sql }} />}
    >
      <TradeFilters />
      <Trades key={JSON.stringify(choice)} choice={choice} symbol={symbol} />
    </Panel>
  );
}

/** The newest trades, live; or a page of older ones, which stays. */
function Trades({ choice, symbol }: { choice: TradeChoice; symbol: string }) {
  const [pages, turn] = useState<readonly Place[]>([]);
  const before = pages.at(-1);
  const newest = useQuery({ ...newestTokenTradesQuestion(choice), enabled: before === undefined });
  const older = useQuery({
    ...olderTokenTradesQuestion(choice, before ?? { record_index: 0, timestamp: 0 }),
    enabled: before !== undefined,
  });
  return (
    <Answered query={before === undefined ? newest : older} height={HEIGHT}>
      {(trades) => (
        <>
          <TradeTable key={before?.record_index} trades={trades} symbol={symbol} />
          <Pager
            isNewest={before === undefined}
            last={trades.length < TRADES_PER_PAGE ? undefined : trades.at(-1)}
            newer={() => turn(pages.slice(0, -1))}
            older={(place) => turn([...pages, place])}
          />
        </>
      )}
    </Answered>
  );
}

function TradeTable({ trades, symbol }: { trades: readonly TokenTrade[]; symbol: string }) {
  const columns = useTradeColumns(symbol);
  // Whatever comes after what was there at first is new.
  const [newestAtFirst] = useState(trades[0]?.record_index ?? 0);
  return (
    <Table
      label="Trades"
      columns={columns}
      rows={trades}
      keyOf={(trade) => String(trade.record_index)}
      isNew={(trade) => trade.record_index > newestAtFirst}
      empty="There are no such trades. New ones appear here; fewer filters may show more."
    />
  );
}

interface PagerProps {
  isNewest: boolean;
  /** The trade that the next page begins behind, if there is one. */
  last: TokenTrade | undefined;
  newer: () => void;
  older: (place: Place) => void;
}

function Pager({ isNewest, last, newer, older }: PagerProps) {
  const turn = () => last && older({ record_index: last.record_index, timestamp: secondsOf(last.timestamp) });
  return (
    <nav className={styles.pager} aria-label="Pages of trades">
      <Button onClick={newer} disabled={isNewest}>
        Newer
      </Button>
      <span>{isNewest ? "The newest, live" : "Older trades"}</span>
      <Button onClick={() => turn()} disabled={last === undefined}>
        Older
      </Button>
    </nav>
  );
}
