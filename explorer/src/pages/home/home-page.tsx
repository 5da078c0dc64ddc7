import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pacedTimeQuery, statusQuery } from "../../queries/chain/status.ts";
import { useChain } from "../../queries/chain/use-chain.ts";
import { Choice } from "../../ui/controls/choice.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useTitle } from "../../ui/layout/page.tsx";
import styles from "./home.module.css";
import { MarketStrip } from "./market-strip.tsx";
import { LatestTrades } from "./newest-trades.tsx";
import { NothingIndexed } from "./nothing-indexed.tsx";
import { TopTokens } from "./top-tokens.tsx";

const PARTS = [
  { value: "tokens", title: "Top tokens" },
  { value: "trades", title: "Newest trades" },
] as const;

type Part = (typeof PARTS)[number]["value"];

/** What a chain trades now. */
export function HomePage() {
  const chain = useChain();
  const [part, choose] = useState<Part>("tokens");
  const { data, error } = useQuery(statusQuery());
  useTitle(chain === null ? "Quarry" : `${chain} · Quarry`);
  const status = data?.chains.find((each) => each.chain === chain);
  if (data === undefined && error !== null)
    return <Notice>The service does not answer. This page fills as soon as it does.</Notice>;
  if (data !== undefined && status?.indexed_block == null)
    return <NothingIndexed chain={chain} message={status?.message ?? null} />;
  return <Market key={chain} chain={chain} part={part} choose={choose} />;
}

interface MarketProps {
  chain: string | null;
  /** What is shown where both have no room. */
  part: Part;
  choose: (part: Part) => void;
}

/** Its parts keep their room while the chain is not known, so that nothing jumps then. */
function Market({ chain, part, choose }: MarketProps) {
  const { data: until } = useQuery({ ...pacedTimeQuery(chain ?? ""), enabled: chain !== null });
  return (
    <>
      <h1 className="visually-hidden">{chain === null ? "Market" : `The market of ${chain}`}</h1>
      <MarketStrip chain={chain} until={until} />
      <div className={styles.choice}>
        <Choice label="Shown part" options={PARTS} value={part} onChange={choose} />
      </div>
      <div className={styles.parts} data-shown={part}>
        <TopTokens chain={chain} until={until} />
        <LatestTrades chain={chain} />
      </div>
    </>
  );
}
