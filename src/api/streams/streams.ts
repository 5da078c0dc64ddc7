import { setMaxListeners } from "node:events";
import type { FastifyBaseLogger } from "fastify";
import { scopeOf } from "../../chains/chain.ts";
import { identifier, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { withAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import { type BlockPricesQuery, readPricesAtBlock } from "../../reads/prices/prices-at-block.ts";
import {
  NothingIndexed,
  type ReadableChain,
  type Reader,
  readableChain,
  readSnapshot,
} from "../../reads/snapshot/snapshot.ts";
import { nextStep } from "../../reads/streams/next-step.ts";
import { valueKindOf } from "../../reads/values/column-values.ts";
import { requireKept } from "../../schema/scope.ts";
import { type TableName, tableOf } from "../../schema/tables.ts";
import { ChainStream } from "../../streams/chain-stream.ts";
import type { Position } from "../../streams/frame.ts";
import type { AskedState } from "../../streams/state.ts";
import type { EventSubscription } from "../../streams/subscription.ts";
import {
  type AdmissionQueues,
  ClientClosed,
  FairQueue,
  type QueuedTask,
  type Slot,
  TakenSlot,
} from "../admission/fair-queue.ts";
import { type ApiLimits, queryLimits } from "../admission/limits.ts";
import { ClientOverload, ServiceOverload } from "../admission/overload.ts";
import { requireFresh } from "../endpoint/max-lag.ts";
import type { StreamRequest } from "../subscriptions/stream-request.ts";
import type { Sink, Transport } from "./sink.ts";
import { StateQuestions } from "./state-questions.ts";
import { StreamClient, type StreamSource } from "./stream-client.ts";
import { exceedsShare, hasFewStates, loadOf, requireLoad, type StreamLoad } from "./stream-load.ts";
import type { StreamFigures } from "./stream-metrics.ts";

/**
 * Interval at which a comment or a ping is sent on each connection, because proxies close silent connections
 * after a minute.
 */
const BEAT_MS = 15_000;

/**
 * Maximum share of the memory that remains in use after slow clients are cut off. It is below 1, so the next
 * frame does not cut again.
 */
const MEMORY_AFTER_CUT = 0.9;

/** Number of streams that compute their states at a time: of those with few states, and of the others. */
const COMPUTING = 4;
/** Maximum time for which a stream waits until it may compute them. */
const COMPUTING_WAIT_MS = 60_000;

interface StreamsOptions {
  reader: Reader;
  limits: ApiLimits;
  queues: AdmissionQueues;
  /** The turns of all requests on the event loop. */
  turns: FairTurns;
  clock: Clock;
  logger: FastifyBaseLogger;
  figures: StreamFigures;
}

interface LiveChain {
  readable: ReadableChain;
  stream: ChainStream;
  questions: StateQuestions;
  /** Why the newest read of states failed; null if it succeeded. */
  failure: string | null;
}

/** A stream and the client that opened it. */
export interface OpenStream extends StreamRequest {
  client: string;
  /** Returns false once the client's key is no longer valid; default: always true. */
  mayContinue?(): boolean;
  /** Maximum number of bytes that the client may leave unread; default: the limit of the service. */
  bufferBytes?: number;
}

/** The client to which the queries for all streams of a chain are attributed. */
const ALL_STREAMS = "streams";

/** All streams of the service. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #chains = new Map<string, LiveChain>();
  readonly #open = new Map<StreamClient, StreamLoad & Pick<OpenStream, "client" | "mayContinue">>();
  readonly #stop = new AbortController();
  /** The streams that compute their states when they begin. Those with few do not wait for the others. */
  readonly #computing: Record<"few" | "many", FairQueue>;
  /** An upper bound on `bufferedBytes`, which is summed again only when this bound exceeds the limit. */
  #mostBufferedBytes = 0;
  #isClosing = false;
  #isBeating = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    const { streams, clientStreams } = options.limits;
    const waiting = { waiting: streams, clientWaiting: clientStreams, waitMs: COMPUTING_WAIT_MS };
    const queue = () => new FairQueue({ running: COMPUTING, clientShare: 0.5, ...waiting }, options.clock);
    this.#computing = { few: queue(), many: queue() };
    // Each read of a stream adds a listener.
    setMaxListeners(0, this.#stop.signal);
    for (const { chain, serving } of options.reader.chains) if (serving !== undefined) this.begin(chain.name);
    options.figures.measure(
      () => this.#open.size,
      () => this.bufferedBytes,
    );
  }

  /**
   * Makes frames of a chain's commits from now on, even if there is no stream yet, so that their age is
   * measured.
   */
  begin(chain: string): void {
    this.#liveOf(chain);
  }

  /** Bytes of frames that clients have not received yet. */
  get bufferedBytes(): number {
    let bytes = 0;
    for (const client of this.#open.keys()) bytes += client.bufferedBytes;
    return bytes;
  }

  /**
   * Requires that there is room for a stream. Must be called before a connection becomes a stream.
   *
   * @throws ClientOverload, ServiceOverload, NothingIndexed, NotLive, NotStored, UnknownChain, BlockTooOld
   */
  requireRoom({ client, chain, maxLag, subscriptions }: Omit<OpenStream, "after" | "bufferBytes">): void {
    const { streams, clientStreams } = this.#options.limits;
    const all = [...this.#open.values()];
    const own = all.filter((one) => one.client === client);
    if (this.#isClosing) throw new ServiceOverload("it is stopping");
    if (own.length >= clientStreams)
      throw new ClientOverload(`the maximum number of open streams per client is ${clientStreams}`);
    requireLoad(loadOf(subscriptions), { own, all, limits: this.#options.limits });
    if (this.#open.size >= streams)
      throw new ServiceOverload(`the maximum number of open streams is ${streams}`);
    const others = all.length - own.length;
    if (exceedsShare(own.length + 1, others, { ofClient: clientStreams, ofAll: streams }))
      throw new ServiceOverload(
        `${all.length} streams are open, and a client may have half of what others leave`,
      );
    const { readable, stream } = this.#liveOf(chain);
    for (const { table } of subscriptions.events) requireKept(chain, scopeOf(readable.chain), table);
    const { commit } = stream;
    if (commit === null) throw new NothingIndexed(chain);
    requireFresh(maxLag, [commit], this.#options.clock);
  }

  /** Streams until the connection is closed. */
  async run(sink: Sink, opened: OpenStream): Promise<void> {
    const { client, chain, subscriptions, after, bufferBytes, mayContinue } = opened;
    const { readable, stream, questions } = this.#liveOf(chain);
    const { clock, limits, queues, turns } = this.#options;
    const { events } = subscriptions;
    const { signal } = this.#stop;
    const states = subscriptions.states.map(({ id, queries, history }) => ({
      id,
      history,
      questions: queries.map((query) => questions.questionOf(query)),
    }));
    const computing = this.#computing[hasFewStates(subscriptions) ? "few" : "many"];
    const query = { tables: tablesOf(events), where: conditionOf(events) };
    const left = new AbortController();
    const inTurn = <T>(read: QueuedTask<T>) =>
      withAbort([signal, left.signal], (ended) =>
        queues.read.run({ client, kind: "stream", signal: ended.signal }, read),
      );
    const source = {
      chain,
      stream,
      clock,
      bufferBytes: bufferBytes ?? limits.streamBufferBytes,
      nextStep: (commit: NonNullable<ChainStream["commit"]>, position: Position) =>
        inTurn((stop, slot) =>
          nextStep(
            { reader: this.#options.reader, readable, limits: queryLimits(limits, stop, slot) },
            { ...query, commit, position },
          ),
        ),
      turn: () => turns.next(client, "states of a stream"),
      computing: <T>(step: () => Promise<T>) =>
        computing.run({ client, kind: "states", signal: left.signal }, step),
      load: (asked: readonly AskedState[]) =>
        inTurn((stop, slot) => this.#load(chain, asked, slot, stop)).catch(() => null),
      onFrame: this.#onFrame(sink.transport),
    };
    const open = new StreamClient(source, sink, { events, states, after });
    this.#open.set(open, { client, ...loadOf(subscriptions), ...(mayContinue && { mayContinue }) });
    if (!this.#isBeating) void this.#beat();
    sink.onClose(() => {
      this.#open.delete(open);
      left.abort(new ClientClosed());
    });
    if (sink.isClosed) this.#open.delete(open);
    await open.run();
  }

  /**
   * Reads prices as of a block, such as the block to which a stream was rolled back.
   *
   * @throws ReorganizedDuringRead if the block is no longer on the chain, and whatever the queue and the
   * reads throw
   */
  async pricesAt(client: string, chain: string, query: BlockPricesQuery): Promise<ReadonlyMap<Hex, number>> {
    const { reader, limits, queues } = this.#options;
    const caller = { client, kind: "stream", signal: this.#stop.signal };
    const { answer } = await queues.read.run(caller, (stop, slot) =>
      readSnapshot(reader, chain, queryLimits(limits, stop, slot), (snapshot) =>
        readPricesAtBlock(snapshot, query),
      ),
    );
    return answer;
  }

  #onFrame(transport: Transport): StreamSource["onFrame"] {
    const count = this.#options.figures.onFrame(transport);
    return (frame, unreadBytes) => {
      count(frame);
      this.#mostBufferedBytes += unreadBytes;
      if (this.#mostBufferedBytes > this.#options.limits.streamMemoryBytes) this.#limitMemory();
    };
  }

  /** Cuts off the slowest clients if the unread frames of all clients take too much memory. */
  #limitMemory(): void {
    const { streamMemoryBytes } = this.#options.limits;
    this.#mostBufferedBytes = this.bufferedBytes;
    if (this.#mostBufferedBytes <= streamMemoryBytes) return;
    const slowest = [...this.#open.keys()].sort((a, b) => b.bufferedBytes - a.bufferedBytes);
    for (const client of slowest) {
      if (this.#mostBufferedBytes <= streamMemoryBytes * MEMORY_AFTER_CUT) return;
      this.#mostBufferedBytes -= client.bufferedBytes;
      client.cut();
      // Its connection might not close before the next count.
      this.#open.delete(client);
      this.#options.figures.countCut();
    }
  }

  /** Ends all streams; their last frames report that the service is stopping. */
  close(): void {
    this.#isClosing = true;
    for (const client of this.#open.keys()) client.shutDown();
    this.#stop.abort();
  }

  #liveChain(readable: ReadableChain): LiveChain {
    const { chain, serving } = readable;
    if (serving === undefined) throw new NotLive();
    const stream = new ChainStream(chain.name, serving.position, {
      load: (asked) => this.#load(chain.name, asked, new TakenSlot(ALL_STREAMS)),
      onSent: this.#options.figures.onSent(chain.name),
      clock: this.#options.clock,
      signal: this.#stop.signal,
    });
    serving.follow(stream);
    const questions = new StateQuestions(this.#options.reader, chain.name);
    return { readable, stream, questions, failure: null };
  }

  #liveOf(chain: string): LiveChain {
    const readable = readableChain(this.#options.reader, chain);
    const live = this.#chains.get(readable.chain.name) ?? this.#liveChain(readable);
    this.#chains.set(readable.chain.name, live);
    return live;
  }

  /** Returns null if reading fails. @throws the signal's reason if it aborts before the service stops */
  async #load(chain: string, asked: readonly AskedState[], slot: Slot, signal = this.#stop.signal) {
    const live = this.#liveOf(chain);
    const { commit } = live.stream;
    if (commit === null) return null;
    try {
      const loaded = await live.questions.load(
        asked,
        queryLimits(this.#options.limits, signal, slot),
        commit,
      );
      live.failure = null;
      return loaded;
    } catch (error) {
      if (this.#stop.signal.aborted) return null;
      // The queue may run the task again.
      if (signal.aborted) throw error;
      this.#reportFailure(live, (error as Error).message);
      return null;
    }
  }

  /**
   * Logs why states could not be read. Repeats a reason only if another reason or a successful read came
   * between.
   */
  #reportFailure(live: LiveChain, reason: string): void {
    const isNew = reason !== live.failure;
    live.failure = reason;
    const fields = { chain: live.readable.chain.name, reason };
    if (isNew) this.#options.logger.warn(fields, "could not read states for streams; retrying");
  }

  /** Keeps connections alive, and cuts the connections of clients whose keys are no longer valid. */
  async #beat(): Promise<void> {
    const { signal } = this.#stop;
    this.#isBeating = true;
    while (this.#open.size > 0 && !signal.aborted) {
      await this.#options.clock.sleep(BEAT_MS, signal).catch(() => undefined);
      for (const [client, { mayContinue }] of this.#open) {
        if (mayContinue?.() === false) client.cut();
        else client.beat();
      }
    }
    this.#isBeating = false;
  }
}

/** Returns the tables that a stream reads when it catches up, which always include the blocks table. */
function tablesOf(events: readonly EventSubscription[]): TableName[] {
  return [...new Set<TableName>(["blocks", ...events.map(({ table }) => table)])];
}

/**
 * Returns a function that makes the condition that every requested row of a table meets; null if any row may
 * be requested.
 */
function conditionOf(events: readonly EventSubscription[]): (table: TableName) => Sql | null {
  return (table) => {
    const about = events.filter((one) => one.table === table);
    if (table === "blocks" || about.some(({ conditions }) => conditions.length === 0)) return null;
    const wanted = about.flatMap(({ conditions: [first] }) =>
      first === undefined ? [] : first.columns.map((column) => isAmong(table, column, [...first.values])),
    );
    return sql`(${join(wanted, " OR ")})`;
  };
}

function isAmong(table: TableName, name: string, values: readonly string[]): Sql {
  const column = tableOf(table).columns[name];
  if (column === undefined) throw new BaseError("internal", `${table} has no column ${name}`);
  return sql`has(${valueKindOf(column).print(values)}, ${identifier(name)})`;
}

class NotLive extends BaseError {
  constructor() {
    super(
      "unsupported",
      "This service keeps nothing in memory, so it has no streams: start it with --serving-memory above 0.",
    );
  }
}
