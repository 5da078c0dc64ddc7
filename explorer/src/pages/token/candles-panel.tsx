import { CandleChart } from "../../candles/candle-chart.tsx";
import { type CandleChoice, candlesRequest } from "../../questions/candles.ts";
import { Panel } from "../../ui/panel.tsx";
import { RequestCopy } from "../../ui/request-copy.tsx";
import { CandleTools } from "./candle-tools.tsx";
import { NoTradesHere } from "./no-trades-here.tsx";
import { useToken, useTokenChoices } from "./token-choices.ts";

const HEIGHT = 420;

export function CandlesPanel({ symbol }: { symbol: string }) {
  const { chain, address: token_address } = useToken();
  const [choices] = useTokenChoices();
  const { pool_address, interval, price_type, open_method, fill } = choices;
  const choice: CandleChoice = {
    chain,
    token_address,
    pool_address,
    interval,
    price_type,
    open_method,
    fill,
  };
  return (
    <Panel
      title={`Price of ${symbol} in USD`}
      actions={<RequestCopy what="candles" request={{ method: "ohlc", question: candlesRequest(choice) }} />}
    >
      <CandleTools />
      <CandleChart
        key={JSON.stringify(choice)}
        choice={choice}
        height={HEIGHT}
        of={symbol}
        isLog={choices.is_log}
        areOutliersMarked={choices.outliers}
        empty={<NoCandles symbol={symbol} />}
      />
    </Panel>
  );
}

function NoCandles({ symbol }: { symbol: string }) {
  const [{ pool_address }] = useTokenChoices();
  const appear = "so there are no candles. They appear with the first one that has.";
  if (pool_address === "all") return `No trade has a price, ${appear}`;
  return (
    <NoTradesHere symbol={symbol}>
      No trade of {symbol} in this pool has a price, {appear}
    </NoTradesHere>
  );
}
