import { type Verdict, verdictOf } from "../../queries/market/robust-price.ts";
import { Price } from "./figures.tsx";
import styles from "./trade-price.module.css";

const REASONS: Readonly<Record<Exclude<Verdict, "accepted">, string>> = {
  "no price": "its price is unknown, because the value paid or the amount is unknown",
  "too small": "it is worth less than 1 US dollar",
  outlier:
    "its price is too far from those of the token's other trades, or was paid in a stablecoin below its peg",
};

/** The price of a trade. If it does not count towards robust prices, it is marked and the reason is given. */
export function TradePrice({ trade }: { trade: Parameters<typeof verdictOf>[0] }) {
  const verdict = verdictOf(trade);
  const price = <Price usd={trade.price_token_usd_tick_1} />;
  if (verdict === "accepted") return price;
  const hint = `Does not count towards robust prices: ${REASONS[verdict]}.`;
  return (
    <span className={styles.odd} title={hint}>
      {price}
      <span className="visually-hidden"> {hint}</span>
    </span>
  );
}
