import { skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { changesQuery, sparksQuery, TOP_TOKENS, topTokensQuery } from "../../queries/market/market.ts";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Table } from "../../ui/table/table.tsx";
import { BY_RANK, type TopTokenRow, tokenColumns } from "./token-columns.tsx";
import styles from "./top-tokens.module.css";

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 40;

/** The tokens of most volume in 24 hours. Asked at the pace of `until`, not with each block: it reads a day of trades. */
export function TopTokens({ chain, until }: { chain: string | null; until: number | undefined }) {
  const isKnown = chain !== null && until !== undefined;
  const asked = topTokensQuery(chain ?? "", until ?? 0);
  const query = useQuery(isKnown ? asked : { ...asked, queryFn: skipToken });
  return (
    <Panel
      title="Top tokens"
      actions={<span className={styles.note}>by volume of the last 24 hours, renewed each half minute</span>}
    >
      <div className={styles.list}>
        <QueryContent query={query} height={HEADER_HEIGHT + ROW_HEIGHT * TOP_TOKENS}>
          {(tokens) => <Tokens chain={chain ?? ""} until={until ?? 0} tokens={tokens} />}
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
  // In an order of its own, so that two tokens that change places ask nothing.
  const addresses = useMemo(() => tokens.map(({ token_address }) => token_address).sort(), [tokens]);
  const isAny = addresses.length > 0;
  const changes = changesQuery(chain, addresses, until);
  const sparks = sparksQuery(chain, addresses, until);
  const { data: changed } = useQuery(isAny ? changes : { ...changes, queryFn: skipToken });
  const { data: points } = useQuery(isAny ? sparks : { ...sparks, queryFn: skipToken });
  const listed = tokens.map((token, i) => ({
    ...token,
    rank: i + 1,
    changes: {
      "1h": changed?.["1h"][token.token_address],
      "24h": changed?.["24h"][token.token_address],
      "7d": changed?.["7d"][token.token_address],
    },
    points: points?.get(token.token_address),
  }));
  return (
    <Table
      label="Tokens of most volume in 24 hours"
      columns={tokenColumns(chain, until)}
      rows={listed}
      order={BY_RANK}
      keyOf={({ token_address }) => token_address}
      empty="Nothing was traded in the last 24 hours."
    />
  );
}
