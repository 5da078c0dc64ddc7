import { useQuery } from "@tanstack/react-query";
import { PagedPanel } from "../../features/records/paged-panel.tsx";
import { TradeTable } from "../../features/records/trade-table.tsx";
import { formatTime, parseTime } from "../../format/time.ts";
import { missingRowsReason } from "../../queries/chain/stored-rows.ts";
import { swapsQuery, type TradedAt, tradedAtQuery } from "../../queries/chain/transactions.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { useFinalizedBlock } from "../../ui/feedback/finality.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Detail, Details, Hex } from "../../ui/layout/details.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { BlockLink } from "../../ui/values/links.tsx";
import { UnknownTransaction } from "./unknown-transaction.tsx";

const PANEL_PX = 160;

interface TradedTransactionProps {
  chain: string;
  hash: string;
}

/** Shows a transaction of which the index stores only the trades. */
export function TradedTransaction({ chain, hash }: TradedTransactionProps) {
  const traded = useQuery(tradedAtQuery(chain, hash));
  return (
    <QueryContent query={traded} height={PANEL_PX}>
      {(at) =>
        at === null ? (
          <UnknownTransaction chain={chain} hash={hash} />
        ) : (
          <Trades chain={chain} hash={hash} at={at} />
        )
      }
    </QueryContent>
  );
}

function Trades({ chain, hash, at }: TradedTransactionProps & { at: TradedAt }) {
  const { block_number, timestamp } = at;
  const status = useChainStatus(chain);
  const finalized = useFinalizedBlock(chain);
  const isFinal = finalized !== null && block_number <= finalized;
  const scope = { chain, block_number, timestamp, transaction_hash: hash, isFinal };
  const reason = status === undefined ? null : missingRowsReason(status, "transactions", block_number);
  return (
    <>
      <Panel title="Summary">
        <Details>
          <Detail name="Hash">
            <Hex text={hash} what="transaction hash" />
          </Detail>
          <Detail name="Block">
            <BlockLink chain={chain} number={block_number} />
          </Detail>
          <Detail name="Time">{formatTime(parseTime(timestamp))} UTC</Detail>
        </Details>
        <Notice>{reason} Of this transaction, only the trades are stored.</Notice>
      </Panel>
      <PagedPanel key={hash} title="Trades" query={(page) => swapsQuery(scope, page)}>
        {(trades) => <TradeTable chain={chain} trades={trades} isOneTransaction />}
      </PagedPanel>
    </>
  );
}
