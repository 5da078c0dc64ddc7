import type { Clock } from "../../lib/async/clock.ts";
import { retryDelayMs } from "../../lib/async/retry-delay.ts";
import { intervalStart } from "../../reads/prices/candles.ts";
import type { NextStep } from "../../reads/streams/next-step.ts";
import type { Rows } from "../../schema/tables.ts";
import type { Commit } from "../../storage/store.ts";
import { framesOfBlocks } from "../../streams/catch-up.ts";
import type { ChainStream, Subscriber } from "../../streams/chain-stream.ts";
import { Frame, NO_STATES, type Position, positionText } from "../../streams/frame.ts";
import { framesWith, headOfCommit, positionOf } from "../../streams/frame-heads.ts";
import { Outbox } from "../../streams/outbox.ts";
import type { AskedState, LoadedState, StateItem, StateSubscription } from "../../streams/state.ts";
import type { EventSubscription } from "../../streams/subscription.ts";
import { MAX_CANDLES } from "../subscriptions/read-subscriptions.ts";
import { isOf, itemsFrom, valuesOf } from "./loaded-items.ts";
import type { Sink } from "./sink.ts";

/** The parts of a chain that a stream uses. */
export interface StreamSource {
  chain: string;
  stream: ChainStream;
  clock: Clock;
  /** Maximum number of bytes that the client may leave unread. */
  bufferBytes: number;
  /** Returns the step that follows a position. Throws if the queue rejects the client or a read fails. */
  nextStep(commit: Commit, position: Position): Promise<NextStep>;
  /** Resolves when it is the client's turn to use the event loop; null if that is now. */
  turn(): Promise<void> | null;
  /**
   * Runs a step that computes states, which only a few streams do at a time: if all did, each would take
   * longer than the time between two blocks, and would have to begin again. Throws if the queue rejects the
   * client.
   */
  computing<T>(step: () => Promise<T>): Promise<T>;
  /** Returns states from the store, by the keys of their questions; null if reading fails. */
  load(asked: readonly AskedState[]): Promise<ReadonlyMap<string, LoadedState> | null>;
  /** Called for each sent frame. @param unreadBytes the increase of `bufferedBytes` */
  onFrame(frame: Frame, unreadBytes: number): void;
}

interface StreamRequest {
  events: readonly EventSubscription[];
  states: readonly StateSubscription[];
  /** The position from which to resume; null to begin with a snapshot. */
  after: Position | null;
}

/** Delay before the next check of a chain that has no commit yet, or is behind the client or the store. */
const WAIT_MS = 50;

/**
 * First and longest delay between failed reads of the store, and the number of failures that ends the stream.
 */
const RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
const MAX_FAILURES = 8;

/**
 * States are computed over several turns of the event loop. If a block arrives meanwhile in this many
 * attempts in a row, all states are computed in a single turn.
 */
const MAX_OVERTAKEN = 3;

/** Time for the last frames to be sent before the connection is cut. */
const LAST_FRAMES_MS = 10_000;

/**
 * One client of a chain's stream. It starts or resumes, then follows the chain, and catches up whenever it is
 * interrupted.
 */
export class StreamClient implements Subscriber {
  readonly events: readonly EventSubscription[];
  readonly #source: StreamSource;
  readonly #sink: Sink;
  readonly #request: StreamRequest;
  #position: Position | null;
  /** Time of the block from which the client may lack candles; null if it has no candles yet. */
  #since: number | null = null;
  #isEnding = false;
  #wake: () => void = () => {};
  #isInterrupted = false;
  /**
   * Sequence number of the commit at the last check of the position; null after an interruption. A later
   * commit of the same block may have replaced rows.
   */
  #checkedAt: number | null = null;
  /** Number of attempts in a row in which a block arrived while states were computed. */
  #overtaken = 0;

  constructor(source: StreamSource, sink: Sink, request: StreamRequest) {
    this.#source = source;
    this.#sink = sink;
    this.#request = request;
    this.events = request.events;
    this.#position = request.after;
    sink.onClose(() => {
      source.stream.leave(this);
      this.#wake();
    });
  }

  get bufferedBytes(): number {
    return this.#sink.bufferedBytes;
  }

  /** Streams until the connection is closed. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      this.#isInterrupted = false;
      if (await this.#catchUp()) await this.#interruption();
    }
  }

  send(frame: Frame): void {
    if (this.#isOver) return;
    if (this.#sink.bufferedBytes > this.#source.bufferBytes) {
      this.lag("the client reads too slowly");
      return;
    }
    this.#write(frame);
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#wake();
  }

  beat(): void {
    if (!this.#isOver) this.#sink.beat();
  }

  /** Ends the stream because the client reads too slowly, or because the service cannot continue it. */
  lag(reason: string): void {
    this.#end("lagged", { reason });
  }

  /** Cuts the connection, which frees the client's memory. */
  cut(): void {
    this.#source.stream.leave(this);
    this.#sink.destroy();
  }

  /** Ends the stream because the service is stopping. */
  shutDown(): void {
    this.#end("shutdown", { reason: "the service is stopping; reconnect" });
  }

  get #isOver(): boolean {
    return this.#isEnding || this.#sink.isClosed;
  }

  #end(event: "lagged" | "shutdown", fields: Record<string, unknown>): void {
    if (this.#isOver) return;
    this.#source.stream.leave(this);
    const resume = this.#position === null ? null : positionText(this.#position);
    this.#write(
      new Frame(event, null, [
        JSON.stringify({ chain: this.#source.chain, ...fields, resume_after: resume }),
      ]),
    );
    this.#isEnding = true;
    this.#sink.end();
    const cancel = this.#source.clock.after(LAST_FRAMES_MS, () => this.#sink.destroy());
    this.#sink.onClose(cancel);
    this.#wake();
  }

  #write(frame: Frame): void {
    if (this.#sink.isClosed) return;
    const before = this.#sink.bufferedBytes;
    this.#sink.send(frame);
    this.#position = frame.position ?? this.#position;
    this.#source.onFrame(frame, Math.max(0, this.#sink.bufferedBytes - before));
  }

  #interruption(): Promise<void> {
    if (this.#isOver || this.#isInterrupted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /**
   * Brings the client to the newest commit and joins the stream. Returns false if the client's stream is
   * over.
   */
  async #catchUp(): Promise<boolean> {
    this.#checkedAt = null;
    for (let failures = 0; !this.#isOver; ) {
      await this.#sink.drained();
      const turn = this.#source.turn();
      if (turn !== null) await turn;
      const step = () => this.#step();
      const isReady = this.#request.states.length > 0 && this.#isThere(this.#source.stream.commit);
      const outcome = await (isReady ? this.#source.computing(step).catch(() => "crowded" as const) : step());
      if (outcome === "joined") return true;
      failures = outcome === "advanced" ? 0 : await this.#retryDelay(failures + 1, outcome);
    }
    return false;
  }

  /** Takes a step towards the newest commit, or joins the stream if the client has it. */
  async #step(): Promise<Outcome> {
    const { stream, clock } = this.#source;
    const { commit } = stream;
    // The client may have left meanwhile.
    if (this.#isOver) return "advanced";
    if (commit === null) {
      await clock.sleep(WAIT_MS);
      return "advanced";
    }
    const position = this.#position;
    return position === null || this.#isThere(commit) ? this.#join(commit) : this.#advance(position, commit);
  }

  /** Returns whether the client has all frames up to a commit. */
  #isThere(commit: Commit | null): boolean {
    const position = this.#position;
    if (commit === null) return false;
    return position === null || (this.#checkedAt === commit.sequence && isAt(position, commit));
  }

  /**
   * Waits before the next attempt, or ends the stream after too many failures. Returns the number of failures
   * in a row.
   */
  async #retryDelay(failures: number, outcome: "failed" | "crowded"): Promise<number> {
    if (failures === MAX_FAILURES) this.lag(`${REASONS[outcome]}; try again later`);
    else await this.#source.clock.sleep(retryDelayMs(failures, RETRY_MS, LONGEST_RETRY_MS));
    return failures;
  }

  /** Takes one step towards a commit. */
  async #advance(position: Position, commit: Commit): Promise<Outcome> {
    try {
      await this.#take(await this.#source.nextStep(commit, position), commit);
      this.#checkedAt = commit.sequence;
      return "advanced";
    } catch {
      return "failed";
    }
  }

  async #take(step: NextStep, commit: Commit): Promise<void> {
    const { chain, clock } = this.#source;
    if (step.kind === "wait") await clock.sleep(WAIT_MS);
    if ("statesFrom" in step) this.#since = Math.min(this.#since ?? step.statesFrom, step.statesFrom);
    if (step.kind === "blocks") this.#sendPast(step.rows, commit);
    if (step.kind === "rollback") {
      const { number, hash, timestamp } = step.to;
      const position = { commit: commit.sequence, block: number, hash };
      const head = { chain, position, timestamp, finalized: commit.finalized, parentHash: null };
      const lacksAll = this.#request.states.length > 0 && step.statesFrom === 0;
      this.#write(framesWith("rollback", head)(undefined, lacksAll ? NO_STATES : this.#statesAt(commit)));
    }
    if (step.kind === "reset") {
      this.#write(new Frame("reset", null, [JSON.stringify({ chain, reason: step.reason })]));
      this.#position = null;
      this.#since = null;
    }
  }

  /**
   * Sends the frames of past blocks, and stops when the buffer is full. The remaining blocks are read again
   * later, because rows held for slow clients could take unlimited memory.
   */
  #sendPast(rows: Rows, commit: Commit): void {
    const { chain, bufferBytes } = this.#source;
    const past = { chain, commit, rows, subscriptions: this.events, statesAt: this.#statesAt(commit) };
    for (const frame of framesOfBlocks(past)) {
      if (this.#isOver || this.#sink.bufferedBytes > bufferBytes) return;
      this.#write(frame);
    }
  }

  /**
   * Returns the sequence number of the commit whose states the client has. While the client catches up, this
   * is the commit at which it was interrupted.
   */
  #statesAt({ sequence }: Commit): number {
    return this.#request.states.length === 0 ? sequence : (this.#position?.commit ?? sequence);
  }

  /**
   * Sends the states as of a commit whose block the client has, and joins the stream if that commit is still
   * the newest.
   */
  async #join(commit: Commit): Promise<Outcome> {
    const values = await this.#valuesAt(commit);
    if (this.#isOver) return "advanced";
    if (values === "newer") {
      await this.#source.clock.sleep(WAIT_MS);
      return "advanced";
    }
    if (values === null) return "failed";
    this.#sendStates(commit, values);
    const { stream } = this.#source;
    const isNewest = stream.commit?.sequence === commit.sequence;
    this.#since = isNewest ? null : commit.timestamp;
    if (this.#isOver || !isNewest) return "advanced";
    stream.join(this);
    for (const { id, asked, items } of values) stream.follow(this, id, asked.question, items);
    return "joined";
  }

  #sendStates(commit: Commit, values: readonly KnownState[]): void {
    const outbox = new Outbox<null>();
    for (const { id, items } of values) if (items.length > 0) outbox.add(null, id, valuesOf(items));
    const head = headOfCommit(this.#source.chain, commit);
    if (this.#position === null) this.#write(framesWith("snapshot", head)(outbox.of(null)));
    else if (values.length > 0) this.#write(framesWith("state", head)(outbox.of(null)));
    this.#position = positionOf(commit);
  }

  /**
   * Returns the states of all subscriptions as of a commit. Returns null if some could not be read from the
   * store, and `newer` if the store or the stream has advanced to another commit meanwhile.
   */
  async #valuesAt(commit: Commit): Promise<KnownState[] | "newer" | null> {
    const states = await this.#statesInMemory(commit);
    if (states === null) return "newer";
    const missing = states.filter(({ items }) => items === null).map(({ asked }) => asked);
    const loaded = missing.length === 0 ? null : await this.#source.load(missing);
    const known = states.flatMap(({ id, asked, items }) => {
      const read = loaded?.get(asked.question.key);
      const found =
        items ?? (read !== undefined && isOf(commit, read) ? itemsFrom(read.items, asked.from) : null);
      return found === null ? [] : [{ id, asked, items: found }];
    });
    if (known.length === states.length) return known;
    const isNewer = [...(loaded?.values() ?? [])].some(
      ({ requestedAt, readAt }) => readAt > commit.sequence || requestedAt !== commit.sequence,
    );
    return isNewer ? "newer" : null;
  }

  /**
   * Returns the states of all subscriptions as of a commit. A state that is not in memory has null instead of
   * items. Other clients take their turns in between. Returns null if the stream advances meanwhile, or if
   * the client leaves.
   */
  async #statesInMemory(commit: Commit): Promise<StateInMemory[] | null> {
    const found: StateInMemory[] = [];
    for (const { id, asked } of this.#askedAt(commit)) {
      const turn = this.#overtaken < MAX_OVERTAKEN ? this.#source.turn() : null;
      if (turn !== null) await turn;
      if (this.#isOver) return null;
      if (this.#source.stream.commit?.sequence !== commit.sequence) {
        this.#overtaken++;
        return null;
      }
      found.push({ id, asked, items: asked.question.now(commit, asked.from) });
    }
    this.#overtaken = 0;
    return found;
  }

  #askedAt(commit: Commit): Pick<KnownState, "id" | "asked">[] {
    return this.#request.states.flatMap(({ id, questions, history }) =>
      questions.map((question) => {
        const from = this.#candlesFrom(question.intervalSeconds, history, commit);
        return { id, asked: { question, from } };
      }),
    );
  }

  #candlesFrom(intervalSeconds: number | null, history: number, { timestamp }: Commit): number | null {
    if (intervalSeconds === null) return null;
    const newest = intervalStart(timestamp, intervalSeconds);
    const oldest = (count: number) => Math.max(0, newest - (count - 1) * intervalSeconds);
    if (this.#since === null) return oldest(history);
    // Clients can get older candles from the price history.
    const share = Math.floor(MAX_CANDLES / this.#request.states.length);
    return Math.max(intervalStart(this.#since, intervalSeconds), oldest(share));
  }
}

interface KnownState {
  id: string;
  asked: AskedState;
  items: StateItem[];
}

type StateInMemory = Omit<KnownState, "items"> & { items: StateItem[] | null };

/** Outcome of an attempt to bring the client to the newest commit. */
type Outcome = "joined" | "advanced" | "failed";

/** Why a stream ends after several attempts: reading failed, or other streams took all turns to compute. */
const REASONS = {
  failed: "the store does not respond",
  crowded: "too many other streams are beginning",
};

function isAt({ block, hash }: Position, { blockNumber, blockHash }: Commit): boolean {
  return block === blockNumber && hash === blockHash;
}
