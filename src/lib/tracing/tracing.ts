/**
 * Facts about a span. They are sent to the operator's collector, so they must not contain text, keys or
 * addresses from clients.
 */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** A piece of work in a trace. */
export interface Span {
  /** False if nothing is recorded, so facts that take time to compute can be left out. */
  readonly isRecorded: boolean;
  set(facts: SpanFacts): void;
  /**
   * Records that the work failed, with only the kind of the error, because its message may quote a client.
   */
  fail(error: unknown): void;
  end(): void;
  /** Runs work whose spans are children of this one. */
  run<T>(work: () => T): T;
}

export interface TraceOptions {
  facts?: SpanFacts;
  /** `server`: the work is a request from a client; default: work of the service itself. */
  kind?: "server";
  /** The request's `traceparent` header, which names the client's span. The new span becomes its child. */
  traceparent?: string | undefined;
}

/** Records spans. */
export interface Tracer {
  /** Starts a span. Its parent is the span in `traceparent` or else the current one, if there is any. */
  root(name: string, options: TraceOptions): Span;
  /** Starts a child of the current span. Returns null if no span is current. */
  child(name: string, facts: SpanFacts, kind: "client" | undefined): Span | null;
  /** Returns a function that runs work with the span that is current now. */
  snapshot(): <T>(work: () => T) => T;
}

/** Null unless the operator wants traces. While it is null, work runs untraced. */
let tracer: Tracer | null = null;

/** Switches tracing on or off for this process. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== null;
}

/** Starts a trace, or continues the client's trace. Returns the new span, which the caller must end. */
export function startTrace(name: string, options: TraceOptions = {}): Span {
  return tracer?.root(name, options) ?? UNRECORDED;
}

interface TracedOptions {
  facts?: SpanFacts;
  /** `client`: the work is a request to another program. */
  kind?: "client";
}

/** Runs work in a span, as part of the current one. If no span is current, nothing is recorded. */
export function traced<T>(
  name: string,
  work: (span: Span) => Promise<T>,
  { facts = {}, kind }: TracedOptions = {},
): Promise<T> {
  const span = tracer?.child(name, facts, kind) ?? null;
  return span === null ? work(UNRECORDED) : runLast(span, () => work(span));
}

/** Like `traced`, for synchronous work. */
export function tracedNow<T>(name: string, work: () => T): T {
  const span = tracer?.child(name, {}, undefined) ?? null;
  if (span === null) return work();
  try {
    return work();
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs a part of the work of a span. If this part fails, so does the span, which then ends. */
export async function runPart<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error);
    span.end();
    throw error;
  }
}

/** Runs the last part of the work of a span, which then ends. */
export async function runLast<T>(span: Span, work: () => Promise<T>): Promise<T> {
  const result = await runPart(span, work);
  span.end();
  return result;
}

/** Returns a function that runs work as part of the span that is current now, wherever it is called. */
export function inThisSpan(): <T>(work: () => T) => T {
  return tracer?.snapshot() ?? unchanged;
}

const unchanged = <T>(work: () => T): T => work();

/** A span that records nothing. */
export const UNRECORDED: Span = {
  isRecorded: false,
  set() {},
  fail() {},
  end() {},
  run: unchanged,
};
