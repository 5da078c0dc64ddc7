import { type Verdict, verdictOf } from "../../queries/market/robust-price.ts";
import { Price } from "./figures.tsx";
import styles from "./trade-price.module.css";

const REASONS: Readonly<Record<Exclude<Verdict, "accepted">, string>> = {
  "no price": "it has no price: what was paid, or the amount, is not known",
  "too small": "it is worth less than 1 USD",
  outlier: "its price is too far from that of the token's other trades",
};

/** The price of a trade; one that robust prices do not count is marked, with the reason. */
export function TradePrice({ trade }: { trade: Parameters<typeof verdictOf>[0] }) {
  const verdict = verdictOf(trade);
  const price = <Price usd={trade.price_token_usd_tick_1} />;
  if (verdict === "accepted") return price;
  const told = `Not counted in robust prices: ${REASONS[verdict]}.`;
  return (
    <span className={styles.odd} title={told}>
      {price}
      <span className="visually-hidden"> {told}</span>
    </span>
  );
}
