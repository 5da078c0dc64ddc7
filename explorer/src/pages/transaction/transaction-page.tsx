import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { PagedPanel } from "../../features/records/paged-panel.tsx";
import { StoredPanel } from "../../features/records/stored-panel.tsx";
import { TradeTable } from "../../features/records/trade-table.tsx";
import { TransactionStatus } from "../../features/records/transaction-status.tsx";
import { NftTable, TransferTable } from "../../features/records/transfer-tables.tsx";
import { shortHex } from "../../format/hex.ts";
import { hasTradesOnly, isKept } from "../../queries/chain/stored-rows.ts";
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
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Page, PageHead, useTitle } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { LogList } from "./log-list.tsx";
import { TradedTransaction } from "./traded-transaction.tsx";
import { TransactionDetails } from "./transaction-details.tsx";
import { UnknownTransaction } from "./unknown-transaction.tsx";

const DETAILS_PX = 540;

export function TransactionPage() {
  const { chain, hash } = useParams({ from: "/$chain/tx/$hash" });
  const status = useChainStatus(chain);
  const isStored = status !== undefined && isKept(status, "transactions");
  const transaction = useQuery({ ...transactionQuery(chain, hash), enabled: isStored });
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
      {status !== undefined && !isStored ? (
        <MissingTransaction chain={chain} hash={hash} />
      ) : (
        <QueryContent query={transaction} height={DETAILS_PX}>
          {(loaded) =>
            loaded === null ? (
              <MissingTransaction chain={chain} hash={hash} />
            ) : (
              // The key resets each table to its first page when the transaction changes.
              <LoadedTransaction key={`${chain} ${hash}`} chain={chain} transaction={loaded} />
            )
          }
        </QueryContent>
      )}
    </Page>
  );
}

function MissingTransaction({ chain, hash }: { chain: string; hash: string }) {
  const status = useChainStatus(chain);
  const isTraded = status !== undefined && hasTradesOnly(status);
  return isTraded ? (
    <TradedTransaction chain={chain} hash={hash} />
  ) : (
    <UnknownTransaction chain={chain} hash={hash} />
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
      <StoredPanel
        chain={chain}
        block={block_number}
        table="logs"
        title="Logs"
        query={(page) => logsQuery(scope, page)}
      >
        {(logs) => <LogList logs={logs} />}
      </StoredPanel>
    </>
  );
}
