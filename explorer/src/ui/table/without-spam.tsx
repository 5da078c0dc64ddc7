import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatCount } from "../../format/number.ts";
import { useRollbacks } from "../../queries/chain/use-chain.ts";
import { spamQuery } from "../../queries/token/spam.ts";
import { Toggle } from "../controls/choice.tsx";

interface SpamOptions<Row> {
  chain: string;
  rows: readonly Row[];
  tokenOf: (row: Row) => string;
}

interface WithoutSpam<Row> {
  /** All rows, or the rows whose token is not spam. */
  visible: readonly Row[];
  /** A switch that shows the hidden rows; null if there are none. */
  spamSwitch: ReactNode;
}

/** Hides the rows whose token is spam until the user asks to see them. */
export function useWithoutSpam<Row>({ chain, rows, tokenOf }: SpamOptions<Row>): WithoutSpam<Row> {
  const [isShown, setShown] = useState(false);
  const { data: spam } = useQuery(spamQuery(chain, rows.map(tokenOf), useRollbacks(chain)));
  const others = rows.filter((row) => spam?.has(tokenOf(row)) !== true);
  const hidden = rows.length - others.length;
  if (hidden === 0) return { visible: rows, spamSwitch: null };
  return {
    visible: isShown ? rows : others,
    spamSwitch: (
      <span title="Tokens that are probably spam, judging by their names, trades and transfers">
        <Toggle label={`Show ${formatCount(hidden)} hidden`} isOn={isShown} onChange={setShown} />
      </span>
    ),
  };
}
