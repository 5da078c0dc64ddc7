import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { NothingIndexed } from "../../pages/home/nothing-indexed.tsx";
import { statusQuery } from "../../queries/chain/status.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useTitle } from "../../ui/layout/page.tsx";

/** Returns the chain in the page's URL if the service does not index it, else null. */
export function useUnknownChain(): string | null {
  const { chain } = useParams({ strict: false });
  const { data } = useQuery(statusQuery());
  if (chain === undefined || data === undefined) return null;
  return data.chains.some((each) => each.chain === chain) ? null : chain;
}

/** Replaces every page of a chain that is not indexed. */
export function UnknownChain({ chain }: { chain: string }) {
  const { data } = useQuery(statusQuery());
  useTitle(`${chain} · Quarry`);
  if (data?.chains.length === 0) return <NothingIndexed chain={chain} message={null} />;
  return (
    <Notice>
      This service does not index {chain}. Indexed chains:{" "}
      {data?.chains.map((each, i) => (
        <span key={each.chain}>
          {i === 0 ? "" : ", "}
          <Link to="/$chain" params={{ chain: each.chain }}>
            {each.chain}
          </Link>
        </span>
      ))}
      .
    </Notice>
  );
}
