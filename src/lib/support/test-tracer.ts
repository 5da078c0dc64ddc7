import { AsyncLocalStorage } from "node:async_hooks";
import type { Span, SpanFacts, Tracer } from "../tracing/tracing.ts";

/** The part of a span that a test sees. */
interface TestSpan {
  name: string;
  /** Name of the parent span; null if there is none. */
  parent: string | null;
  facts: Record<string, unknown>;
  error: unknown;
  /** Number of times that the span was ended. */
  ends: number;
}

/** Keeps all spans, in the order in which they started. */
export class TestTracer implements Tracer {
  readonly spans: TestSpan[] = [];
  readonly #current = new AsyncLocalStorage<string | null>();

  root(name: string, { facts = {} }: { facts?: SpanFacts }): Span {
    return this.#start(name, facts);
  }

  child(name: string, facts: SpanFacts): Span | null {
    return this.#current.getStore() == null ? null : this.#start(name, facts);
  }

  snapshot(): <T>(work: () => T) => T {
    const current = this.#current.getStore() ?? null;
    return (work) => this.#current.run(current, work);
  }

  #start(name: string, facts: SpanFacts): Span {
    const parent = this.#current.getStore() ?? null;
    const span: TestSpan = { name, parent, facts: { ...facts }, error: null, ends: 0 };
    this.spans.push(span);
    return {
      isRecorded: true,
      set: (more) => void Object.assign(span.facts, more),
      fail: (error) => {
        span.error = error;
      },
      end: () => {
        span.ends++;
      },
      run: (work) => this.#current.run(name, work),
    };
  }
}
