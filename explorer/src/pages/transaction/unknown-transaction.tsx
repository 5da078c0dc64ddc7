import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { missingTransactionText } from "./missing-transaction.ts";

/**
 * Says why a transaction was not found. The page refetches with every new block, so it shows the transaction
 * once it is indexed.
 */
export function UnknownTransaction({ chain, hash }: { chain: string; hash: string }) {
  const status = useChainStatus(chain);
  return (
    <Panel title="Transaction not found">
      <Notice>
        <code>{hash}</code>
        <br />
        {status === undefined ? `${chain} is not indexed.` : missingTransactionText(status)} This page updates
        as soon as its block is indexed.
      </Notice>
    </Panel>
  );
}
