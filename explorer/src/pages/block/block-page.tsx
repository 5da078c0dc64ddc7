import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { formatCount } from "../../format/number.ts";
import { secondsOf } from "../../format/time.ts";
import { type Block, blockQuestion } from "../../questions/blocks.ts";
import {
  nftTransfersQuestion,
  type Scope,
  swapsQuestion,
  transactionsQuestion,
  transfersQuestion,
} from "../../questions/transactions.ts";
import { Answered } from "../../ui/answered.tsx";
import { Finality, useFinalizedBlock } from "../../ui/finality.tsx";
import { Page, PageHead } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTitle } from "../../ui/title.ts";
import { PagedPanel } from "../transaction/paged-panel.tsx";
import { SwapTable } from "../transaction/swap-table.tsx";
import { NftTable, TransferTable } from "../transaction/transfer-tables.tsx";
import { BlockDetails } from "./block-details.tsx";
import styles from "./block-page.module.css";
import { MissingBlock } from "./missing-block.tsx";
import { TransactionTable } from "./transaction-table.tsx";

const DETAILS_PX = 388;

export function BlockPage() {
  const { chain, number: digits } = useParams({ from: "/$chain/block/$number" });
  const number = Number(digits);
  const block = useQuery(blockQuestion(chain, number));
  useTitle(`Block ${formatCount(number)} · ${chain} · Quarry`);
  return (
    <Page>
      <PageHead>
        <h1>Block {formatCount(number)}</h1>
        {block.data == null ? null : <Finality chain={chain} block={number} />}
        <Neighbours chain={chain} number={number} />
      </PageHead>
      <Answered query={block} height={DETAILS_PX}>
        {(found) =>
          found === null ? (
            <MissingBlock chain={chain} number={number} />
          ) : (
            // Another block's rows begin at their first page.
            <Found key={found.block_hash} chain={chain} block={found} />
          )
        }
      </Answered>
    </Page>
  );
}

function Neighbours({ chain, number }: { chain: string; number: number }) {
  return (
    <nav className={styles.neighbours} aria-label="Blocks beside it">
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

function Found({ chain, block }: { chain: string; block: Block }) {
  const { block_number, timestamp } = block;
  const finalized = useFinalizedBlock(chain);
  const isFinal = finalized !== null && block_number <= finalized;
  const scope: Scope = { chain, block_number, timestamp, isFinal };
  return (
    <>
      <Panel title="Header">
        <BlockDetails chain={chain} block={block} at={secondsOf(timestamp)} />
      </Panel>
      <PagedPanel title="Transactions" question={(page) => transactionsQuestion(scope, page)}>
        {(rows) => <TransactionTable chain={chain} rows={rows} />}
      </PagedPanel>
      <PagedPanel title="Trades" question={(page) => swapsQuestion(scope, page)}>
        {(swaps) => <SwapTable chain={chain} swaps={swaps} isOfOne={false} />}
      </PagedPanel>
      <PagedPanel title="ERC-20 transfers" question={(page) => transfersQuestion(scope, page)}>
        {(transfers) => <TransferTable chain={chain} transfers={transfers} isOfOne={false} />}
      </PagedPanel>
      <PagedPanel title="NFT transfers" question={(page) => nftTransfersQuestion(scope, page)}>
        {(transfers) => <NftTable chain={chain} transfers={transfers} isOfOne={false} />}
      </PagedPanel>
    </>
  );
}
