import type { Rows } from "../schema/tables.ts";
import type { Commit } from "../storage/store.ts";
import { BlockEvents } from "./block-events.ts";
import type { Frame } from "./frame.ts";
import { framesWith, headOfBlock } from "./frame-heads.ts";
import { Outbox } from "./outbox.ts";
import type { EventSubscription } from "./subscription.ts";

interface PastBlocks {
  chain: string;
  commit: Commit;
  rows: Rows;
  subscriptions: readonly EventSubscription[];
  /** Sequence number of the commit up to which the subscriber has all states. */
  statesAt: number;
}

/** Yields the frames of past blocks for one subscriber, in order. */
export function* framesOfBlocks({
  chain,
  commit,
  rows,
  subscriptions,
  statesAt,
}: PastBlocks): Generator<Frame> {
  const events = new BlockEvents<null>();
  events.add(null, subscriptions);
  const collect = events.collector(rows);
  for (const block of rows.blocks ?? []) {
    const outbox = new Outbox<null>();
    collect(outbox, block.block_number);
    yield framesWith("block", headOfBlock(chain, commit, block))(outbox.of(null), statesAt);
  }
}
