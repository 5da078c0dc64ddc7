import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { PagedPanel } from "../../features/records/paged-panel.tsx";
import { StoredPanel } from "../../features/records/stored-panel.tsx";
import { TradeTable } from "../../features/records/trade-table.tsx";
import { NftTable, TransferTable } from "../../features/records/transfer-tables.tsx";
import { formatCount } from "../../format/number.ts";
import { parseTime } from "../../format/time.ts";
import { type Block, blockQuery } from "../../queries/chain/block.ts";
import {
  nftTransfersQuery,
  type RecordScope,
  swapsQuery,
  transactionsQuery,
  transfersQuery,
} from "../../queries/chain/transactions.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Finality, useFinalizedBlock } from "../../ui/feedback/finality.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Page, PageHead, useTitle } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { BlockDetails } from "./block-details.tsx";
import styles from "./block-page.module.css";
import { missingBlockReason } from "./missing-reason.ts";
import { TransactionTable } from "./transaction-table.tsx";

const DETAILS_PX = 388;

export function BlockPage() {
  const { chain, number: digits } = useParams({ from: "/$chain/block/$number" });
  const number = Number(digits);
  const block = useQuery(blockQuery(chain, number));
  useTitle(`Block ${formatCount(number)} · ${chain} · Quarry`);
  return (
    <Page>
      <PageHead>
        <h1>Block {formatCount(number)}</h1>
        {block.data == null ? null : <Finality chain={chain} block={number} />}
        <Neighbours chain={chain} number={number} />
      </PageHead>
      <QueryContent query={block} height={DETAILS_PX}>
        {(loaded) =>
          loaded === null ? (
            <MissingBlock chain={chain} number={number} />
          ) : (
            // The key resets each table to its first page when the block changes.
            <LoadedBlock key={loaded.block_hash} chain={chain} block={loaded} />
          )
        }
      </QueryContent>
    </Page>
  );
}

function Neighbours({ chain, number }: { chain: string; number: number }) {
  return (
    <nav className={styles.neighbours} aria-label="Adjacent blocks">
      {number > 0 ? (
        <Link to="/$chain/block/$number" params={{ chain, number: String(number - 1) }}>
          ← Previous
        </Link>
      ) : null}
      <Link to="/$chain/block/$number" params={{ chain, number: String(number + 1) }}>
        Next →
      </Link>
    </nav>
  );
}

function LoadedBlock({ chain, block }: { chain: string; block: Block }) {
  const { block_number, timestamp } = block;
  const finalized = useFinalizedBlock(chain);
  const isFinal = finalized !== null && block_number <= finalized;
  const scope: RecordScope = { chain, block_number, timestamp, isFinal };
  const stored = { chain, block: block_number };
  return (
    <>
      <Panel title="Header">
        <BlockDetails chain={chain} block={block} at={parseTime(timestamp)} />
      </Panel>
      <StoredPanel
        {...stored}
        table="transactions"
        title="Transactions"
        query={(page) => transactionsQuery(scope, page)}
      >
        {(rows) => <TransactionTable chain={chain} rows={rows} />}
      </StoredPanel>
      <PagedPanel title="Trades" query={(page) => swapsQuery(scope, page)}>
        {(trades) => <TradeTable chain={chain} trades={trades} isOneTransaction={false} />}
      </PagedPanel>
      <StoredPanel
        {...stored}
        table="erc20"
        title="ERC-20 transfers"
        query={(page) => transfersQuery(scope, page)}
      >
        {(transfers) => <TransferTable chain={chain} transfers={transfers} isOneTransaction={false} />}
      </StoredPanel>
      <StoredPanel
        {...stored}
        table="erc721"
        title="NFT transfers"
        query={(page) => nftTransfersQuery(scope, page)}
      >
        {(transfers) => <NftTable chain={chain} transfers={transfers} isOneTransaction={false} />}
      </StoredPanel>
    </>
  );
}

/** Explains why a block is missing. */
function MissingBlock({ chain, number }: { chain: string; number: number }) {
  const status = useChainStatus(chain);
  return (
    <Panel title="Block not found">
      <Notice>
        {status === undefined ? `${chain} is not indexed.` : missingBlockReason(status, number)}
      </Notice>
    </Panel>
  );
}
