import type { Clock } from "../lib/async/clock.ts";
import { PacedWork } from "../lib/queues/paced-work.ts";
import type { Rows } from "../schema/tables.ts";
import type { Commit, CommitListener } from "../storage/store.ts";
import { BlockEvents } from "./block-events.ts";
import type { Feed } from "./event-index.ts";
import { Frame } from "./frame.ts";
import { framesWith, headOfBlock, headOfCommit } from "./frame-heads.ts";
import { Outbox } from "./outbox.ts";
import { SharedValue } from "./shared-values.ts";
import type { LoadStates, StateItem, StateQuestion } from "./state.ts";
import type { EventSubscription } from "./subscription.ts";
import { type Changes, TrackedStates } from "./tracked-states.ts";

/** Receives the frames of a chain once it has joined the chain's stream. */
export interface Subscriber {
  readonly events: readonly EventSubscription[];
  send(frame: Frame): void;
  /** Called when the stream has lost its position. The subscriber must then catch up from the store. */
  interrupt(): void;
}

interface ChainStreamOptions {
  /** Reads states that are not in memory. */
  load: LoadStates;
  /** Called when the frames of a commit have been sent. */
  onSent(commit: Commit): void;
  clock: Clock;
  /** Aborts when the service stops. */
  signal: AbortSignal;
}

/**
 * Turns each new commit of a chain into frames, one for each block, and sends them to all subscribers. If
 * there are many subscribers, other work runs in between.
 */
export class ChainStream implements CommitListener {
  readonly #chain: string;
  readonly #onSent: (commit: Commit) => void;
  readonly #events = new BlockEvents<Subscriber>();
  /** The subscribers with the feeds of their events. */
  readonly #subscribers = new Map<Subscriber, readonly Feed<Subscriber>[]>();
  readonly #states: TrackedStates<Subscriber>;
  readonly #sending = new PacedWork();
  #commit: Commit | null;

  constructor(chain: string, commit: Commit | null, { onSent, ...options }: ChainStreamOptions) {
    this.#chain = chain;
    this.#commit = commit;
    this.#onSent = onSent;
    this.#states = new TrackedStates({
      ...options,
      commit: () => this.#commit,
      deliver: (changes) => this.#sendLater(changes),
    });
  }

  /** The newest commit. Its frames are being sent to those who subscribed before it. */
  get commit(): Commit | null {
    return this.#commit;
  }

  /** Number of states that subscribers follow. */
  get states(): number {
    return this.#states.size;
  }

  /** Adds a subscriber, which receives the frames of all later commits. */
  join(subscriber: Subscriber): void {
    this.#subscribers.set(subscriber, this.#events.add(subscriber, subscriber.events));
  }

  leave(subscriber: Subscriber): void {
    this.#events.remove(subscriber, this.#subscribers.get(subscriber) ?? []);
    this.#subscribers.delete(subscriber);
    this.#states.remove(subscriber);
  }

  /**
   * Makes a subscriber that has already joined also receive changes to a state.
   *
   * @param known the value at the current commit, which the subscriber has
   */
  follow(subscriber: Subscriber, id: string, question: StateQuestion, known: readonly StateItem[]): void {
    this.#states.add(subscriber, id, question, known);
  }

  extended(commit: Commit, rows: Rows): void {
    const before = this.#commit;
    this.#commit = commit;
    if (this.#subscribers.size > 0) {
      this.#sendBlocks(commit, rows, before);
      const { finalized } = commit;
      if (finalized !== null && finalized !== before?.finalized) this.#sendFinal(finalized);
    }
    this.#sending.add([commit], this.#onSent);
  }

  rolledBack(commit: Commit): void {
    this.#commit = commit;
    if (this.#subscribers.size === 0) return;
    const outbox = new Outbox<Subscriber>();
    addChanges(outbox, this.#states.rollbackTo(commit));
    this.#send(framesWith("rollback", headOfCommit(this.#chain, commit)), outbox, commit.sequence);
  }

  /**
   * Interrupts all subscribers, because some of their rows may be missing or differ from those in the store.
   */
  replaced(commit: Commit | null): void {
    this.#commit = commit;
    for (const subscriber of [...this.#subscribers.keys()]) {
      this.leave(subscriber);
      subscriber.interrupt();
    }
  }

  /**
   * Sends the blocks of a commit. States come with the last block; until then, subscribers have the states of
   * the previous commit.
   */
  #sendBlocks(commit: Commit, rows: Rows, before: Commit | null): void {
    const above = before?.blockNumber ?? -1;
    const blocks = (rows.blocks ?? []).filter(({ block_number: number }) => number > above);
    const collect = this.#events.collector(rows);
    for (const block of blocks) {
      const outbox = new Outbox<Subscriber>();
      collect(outbox, block.block_number);
      const isLast = block === blocks.at(-1);
      if (isLast) addChanges(outbox, this.#states.update(commit, rows));
      const statesAt = isLast ? commit.sequence : (before?.sequence ?? 0);
      this.#send(framesWith("block", headOfBlock(this.#chain, commit, block)), outbox, statesAt);
    }
  }

  /**
   * @param statesAt sequence number of the commit up to which subscribers have all states that were in memory
   */
  #send(frameWith: ReturnType<typeof framesWith>, outbox: Outbox<Subscriber>, statesAt: number): void {
    const lacking = this.#states.lacking();
    this.#sendTo([...this.#subscribers.keys()], (subscriber) => {
      const known = Math.min(statesAt, lacking.get(subscriber) ?? statesAt);
      return frameWith(outbox.of(subscriber), known);
    });
  }

  /** Sends a frame to each of the subscribers that does not leave before its turn. */
  #sendTo(subscribers: readonly Subscriber[], frameOf: (subscriber: Subscriber) => Frame): void {
    const joined = subscribers.map((subscriber) => [subscriber, this.#subscribers.get(subscriber)] as const);
    this.#sending.add(joined, ([subscriber, feeds]) => {
      // If it has joined again meanwhile, it has caught up with a later commit.
      const hasStayed = feeds !== undefined && this.#subscribers.get(subscriber) === feeds;
      if (hasStayed) subscriber.send(frameOf(subscriber));
    });
  }

  #sendFinal(block: number): void {
    const frame = new Frame("final", null, [JSON.stringify({ chain: this.#chain, block })]);
    this.#sendTo([...this.#subscribers.keys()], () => frame);
  }

  /** Sends values that were not known yet when their block was sent. */
  #sendLater(changes: Changes<Subscriber>): void {
    if (this.#commit === null) return;
    const outbox = new Outbox<Subscriber>();
    addChanges(outbox, changes);
    const frameWith = framesWith("state", headOfCommit(this.#chain, this.#commit));
    const subscribers = [...outbox].map(([subscriber]) => subscriber);
    this.#sendTo(subscribers, (subscriber) => frameWith(outbox.of(subscriber)));
  }
}

function addChanges<S>(outbox: Outbox<S>, changes: Changes<S>): void {
  for (const [followers, items] of changes) outbox.addAll(followers, sharedValues(items));
}

function sharedValues(items: readonly StateItem[]): SharedValue[] {
  return items.map(({ json }) => new SharedValue(json));
}
