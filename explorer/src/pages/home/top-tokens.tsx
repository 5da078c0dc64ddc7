import { skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  changesQuery,
  sparksQuery,
  TOP_TOKENS,
  type TopToken,
  topTokensQuery,
} from "../../queries/market/market.ts";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Table } from "../../ui/table/table.tsx";
import { useWithoutSpam } from "../../ui/table/without-spam.tsx";
import { BY_RANK, type TopTokenRow, tokenColumns } from "./token-columns.tsx";
import styles from "./top-tokens.module.css";

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 40;
const NONE: readonly TopToken[] = [];

/**
 * The tokens with the highest 24-hour volume. Refetched when `until` changes, not with each block, because it
 * reads a day of trades.
 */
export function TopTokens({ chain, until }: { chain: string | null; until: number | undefined }) {
  const isKnown = chain !== null && until !== undefined;
  const options = topTokensQuery(chain ?? "", until ?? 0);
  const query = useQuery(isKnown ? options : { ...options, queryFn: skipToken });
  const rows = query.data ?? NONE;
  const { visible, spamSwitch } = useWithoutSpam({
    chain: chain ?? "",
    rows,
    tokenOf: ({ token_address }) => token_address,
  });
  return (
    <Panel
      title="Top tokens"
      actions={
        <>
          {spamSwitch}
          <span className={styles.note}>by 24 h volume, updated every 30 s</span>
        </>
      }
    >
      <div className={styles.list}>
        <QueryContent query={query} height={HEADER_HEIGHT + ROW_HEIGHT * TOP_TOKENS}>
          {() => <Tokens chain={chain ?? ""} until={until ?? 0} tokens={visible} />}
        </QueryContent>
      </div>
    </Panel>
  );
}

interface TokensProps {
  chain: string;
  until: number;
  tokens: readonly Omit<TopTokenRow, "rank" | "changes" | "points">[];
}

function Tokens({ chain, until, tokens }: TokensProps) {
  // Sorted, so that a changed ranking does not change the query keys.
  const addresses = useMemo(() => tokens.map(({ token_address }) => token_address).sort(), [tokens]);
  const hasTokens = addresses.length > 0;
  const changes = changesQuery(chain, addresses, until);
  const sparks = sparksQuery(chain, addresses, until);
  const { data: changesByLookback } = useQuery(hasTokens ? changes : { ...changes, queryFn: skipToken });
  const { data: points } = useQuery(hasTokens ? sparks : { ...sparks, queryFn: skipToken });
  const listed = tokens.map((token, i) => ({
    ...token,
    rank: i + 1,
    changes: {
      "1h": changesByLookback?.["1h"][token.token_address],
      "24h": changesByLookback?.["24h"][token.token_address],
      "7d": changesByLookback?.["7d"][token.token_address],
    },
    points: points?.get(token.token_address),
  }));
  return (
    <Table
      label="Top tokens by 24 h volume"
      columns={tokenColumns(chain, until)}
      rows={listed}
      order={BY_RANK}
      keyOf={({ token_address }) => token_address}
      empty="No trades in the last 24 hours."
    />
  );
}
