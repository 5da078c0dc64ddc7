import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { PagedPanel } from "../../features/records/paged-panel.tsx";
import { TradeTable } from "../../features/records/trade-table.tsx";
import { TransactionStatus } from "../../features/records/transaction-status.tsx";
import { NftTable, TransferTable } from "../../features/records/transfer-tables.tsx";
import { shortHex } from "../../format/hex.ts";
import { formatCount } from "../../format/number.ts";
import {
  logsQuery,
  nftTransfersQuery,
  type RecordScope,
  swapsQuery,
  type Transaction,
  transactionQuery,
  transfersQuery,
} from "../../queries/chain/transactions.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Finality, useFinalizedBlock } from "../../ui/feedback/finality.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Page, PageHead, useTitle } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { LogList } from "./log-list.tsx";
import { TransactionDetails } from "./transaction-details.tsx";

const DETAILS_PX = 540;

export function TransactionPage() {
  const { chain, hash } = useParams({ from: "/$chain/tx/$hash" });
  const transaction = useQuery(transactionQuery(chain, hash));
  useTitle(`Transaction ${shortHex(hash)} · ${chain} · Quarry`);
  return (
    <Page>
      <PageHead>
        <h1>Transaction</h1>
        {transaction.data == null ? null : (
          <>
            <TransactionStatus status={transaction.data.status} />
            <Finality chain={chain} block={transaction.data.block_number} />
          </>
        )}
      </PageHead>
      <QueryContent query={transaction} height={DETAILS_PX}>
        {(loaded) =>
          loaded === null ? (
            <MissingTransaction chain={chain} hash={hash} />
          ) : (
            <LoadedTransaction chain={chain} transaction={loaded} />
          )
        }
      </QueryContent>
    </Page>
  );
}

/** The page refetches with every new block, so it shows the transaction once it is indexed. */
function MissingTransaction({ chain, hash }: { chain: string; hash: string }) {
  const { indexed_block = null, first_block = null } = useChainStatus(chain) ?? {};
  return (
    <Panel title="Transaction not found">
      <Notice>
        <code>{hash}</code>
        <br />
        {indexed_block === null
          ? `No block of ${chain} is indexed yet.`
          : `No transaction with this hash in blocks ${formatCount(first_block)} to ${formatCount(indexed_block)} of ${chain}. It may be pending, in a block that is not indexed, or removed by a reorg.`}{" "}
        This page updates as soon as its block is indexed.
      </Notice>
    </Panel>
  );
}

function LoadedTransaction({ chain, transaction }: { chain: string; transaction: Transaction }) {
  const { block_number, timestamp, transaction_hash } = transaction;
  const finalized = useFinalizedBlock(chain);
  const isFinal = finalized !== null && block_number <= finalized;
  const scope: RecordScope = { chain, block_number, timestamp, transaction_hash, isFinal };
  return (
    <>
      <Panel title="Summary">
        <TransactionDetails chain={chain} transaction={transaction} />
      </Panel>
      <PagedPanel title="Trades" query={(page) => swapsQuery(scope, page)}>
        {(trades) => <TradeTable chain={chain} trades={trades} isOneTransaction />}
      </PagedPanel>
      <PagedPanel title="ERC-20 transfers" query={(page) => transfersQuery(scope, page)}>
        {(transfers) => <TransferTable chain={chain} transfers={transfers} isOneTransaction />}
      </PagedPanel>
      <PagedPanel title="NFT transfers" query={(page) => nftTransfersQuery(scope, page)}>
        {(transfers) => <NftTable chain={chain} transfers={transfers} isOneTransaction />}
      </PagedPanel>
      <PagedPanel title="Logs" query={(page) => logsQuery(scope, page)}>
        {(logs) => <LogList logs={logs} />}
      </PagedPanel>
    </>
  );
}
