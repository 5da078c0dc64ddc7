import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pacedTimeQuery, statusQuery } from "../../queries/chain/status.ts";
import { useChain } from "../../queries/chain/use-chain.ts";
import { Choice } from "../../ui/controls/choice.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useTitle } from "../../ui/layout/page.tsx";
import styles from "./home.module.css";
import { LatestTrades } from "./latest-trades.tsx";
import { MarketStrip } from "./market-strip.tsx";
import { NothingIndexed } from "./nothing-indexed.tsx";
import { Screener } from "./screener/screener.tsx";

const PARTS = [
  { value: "tokens", title: "Tokens and pools" },
  { value: "trades", title: "Latest trades" },
] as const;

type Part = (typeof PARTS)[number]["value"];

/** A chain's market: figures, tokens and pools, latest trades. */
export function HomePage() {
  const chain = useChain();
  const [part, setPart] = useState<Part>("tokens");
  const { data, error } = useQuery(statusQuery());
  useTitle(chain === null ? "Quarry" : `${chain} · Quarry`);
  const status = data?.chains.find((each) => each.chain === chain);
  if (data === undefined && error !== null)
    return <Notice>The service is not responding. This page updates as soon as it does.</Notice>;
  if (data !== undefined && status?.indexed_block == null)
    return <NothingIndexed chain={chain} message={status?.message ?? null} />;
  return <Market key={chain} chain={chain} part={part} setPart={setPart} />;
}

interface MarketProps {
  chain: string | null;
  /** The list shown on narrow screens, which have space for only one. */
  part: Part;
  setPart: (part: Part) => void;
}

/** Reserves space for its parts while the chain is unknown, so that the layout does not shift. */
function Market({ chain, part, setPart }: MarketProps) {
  const { data: until } = useQuery({ ...pacedTimeQuery(chain ?? ""), enabled: chain !== null });
  return (
    <>
      <h1 className="visually-hidden">{chain === null ? "Market" : `${chain} market`}</h1>
      <MarketStrip chain={chain} until={until} />
      <div className={styles.choice}>
        <Choice label="List" options={PARTS} value={part} onChange={setPart} />
      </div>
      <div className={styles.parts} data-shown={part}>
        <Screener chain={chain} until={until} />
        <LatestTrades chain={chain} />
      </div>
    </>
  );
}
