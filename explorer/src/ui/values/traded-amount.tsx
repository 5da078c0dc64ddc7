import { Amount } from "./figures.tsx";
import styles from "./traded-amount.module.css";

/** Explanations of why a trade has no amounts, by `amounts_unknown_reason`. */
const REASONS: Readonly<Record<string, string>> = {
  hook_may_change_amounts:
    "The pool's hook may change what the swapper pays and receives, and the transaction's transfers do not show the amounts.",
  event_is_inexact:
    "The pool's event leaves out or rounds the amounts, and the transaction's transfers do not show them.",
};

interface TradedAmountProps {
  amount: number | null;
  /** `amounts_unknown_reason` of the trade. */
  reason: string | null;
}

/** An amount of a trade, or the reason why it is unknown. */
export function TradedAmount({ amount, reason }: TradedAmountProps) {
  if (reason === null) return <Amount amount={amount} />;
  const why = REASONS[reason] ?? reason;
  return (
    <span className={styles.unknown} title={why}>
      unknown
      <span className="visually-hidden">: {why}</span>
    </span>
  );
}
