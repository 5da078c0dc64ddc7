import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import {
  type Span,
  type SpanFacts,
  type TraceOptions,
  type Tracer,
  UNRECORDED,
} from "../../lib/tracing/tracing.ts";
import { ReportingExporter } from "./reporting-exporter.ts";

interface TracesOptions {
  /** URL at which the collector receives spans. */
  url: string;
  version: string;
  /**
   * Called with the problem when the collector stops accepting spans, and with null when it accepts them
   * again.
   */
  onChange(problem: string | null): void;
}

export interface Traces {
  tracer: Tracer;
  /** Sends the remaining spans. Resolves when the collector has them, however long that takes. */
  shutdown(): Promise<void>;
}

/**
 * Records spans with OpenTelemetry, and sends them to a collector. All other settings come from the OTEL_*
 * variables, which the libraries read: sampling, sizes of batches and queue, headers, time limits.
 */
export function openTelemetry({ url, version, onChange }: TracesOptions): Traces {
  const resource = resourceFromAttributes({
    "service.name": "quarry",
    "service.version": version,
    "process.pid": process.pid,
  }).merge(detectResources({ detectors: [envDetector] }));
  const exporter = new ReportingExporter(new OTLPTraceExporter({ url }), onChange);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  return {
    tracer: new OpenTelemetryTracer(provider.getTracer("quarry", version)),
    shutdown: () => provider.shutdown(),
  };
}

/** The current span, as the library passes it on, and the clock of its trace. */
interface Current {
  context: Context;
  /** Unix milliseconds, with fractions. A trace has one clock, so that no span ends after its parent. */
  now(): number;
}

class OpenTelemetryTracer implements Tracer {
  readonly #tracer: OtelTracer;
  /** The library's own context manager would require another package. */
  readonly #current = new AsyncLocalStorage<Current | undefined>();

  constructor(tracer: OtelTracer) {
    this.#tracer = tracer;
  }

  root(name: string, { facts = {}, kind, traceparent }: TraceOptions): Span {
    const { context = ROOT_CONTEXT, now = clockOfTrace() } = this.#current.getStore() ?? {};
    const parent = { context: remoteContext(traceparent) ?? context, now };
    const spanKind = kind === "server" ? SpanKind.SERVER : SpanKind.INTERNAL;
    const span = this.#start(name, { attributes: facts, kind: spanKind }, parent);
    // Recording the parts of a trace that is not sampled would only take time.
    return span.isRecorded ? span : UNRECORDED;
  }

  child(name: string, facts: SpanFacts, kind: "client" | undefined): Span | null {
    const parent = this.#current.getStore();
    if (parent === undefined) return null;
    const spanKind = kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
    return this.#start(name, { attributes: facts, kind: spanKind }, parent);
  }

  snapshot(): <T>(work: () => T) => T {
    const current = this.#current.getStore();
    return (work) => this.#current.run(current, work);
  }

  #start(name: string, options: { attributes: SpanFacts; kind: SpanKind }, { context, now }: Current): Span {
    const span = this.#tracer.startSpan(name, { ...options, startTime: now() }, context);
    return new OpenTelemetrySpan(span, { context: trace.setSpan(context, span), now }, this.#current);
  }
}

/** Returns a clock that starts at the system's current time and cannot jump. */
function clockOfTrace(): () => number {
  const offsetMs = systemClock.now() - systemClock.monotonic();
  return () => offsetMs + systemClock.monotonic();
}

/**
 * Returns the context that continues a client's trace; null without a valid `traceparent`. The client's
 * `tracestate` is its own text, so it is not passed on.
 */
function remoteContext(traceparent: string | undefined): Context | null {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent && trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

class OpenTelemetrySpan implements Span {
  readonly #span: OtelSpan;
  readonly #own: Current;
  readonly #current: AsyncLocalStorage<Current | undefined>;

  constructor(span: OtelSpan, own: Current, current: AsyncLocalStorage<Current | undefined>) {
    this.#span = span;
    this.#own = own;
    this.#current = current;
  }

  get isRecorded(): boolean {
    return this.#span.isRecording();
  }

  set(facts: SpanFacts): void {
    this.#span.setAttributes(facts);
  }

  fail(error: unknown): void {
    this.#span.setAttribute("error.type", kindOf(error));
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end(this.#own.now());
  }

  run<T>(work: () => T): T {
    return this.#current.run(this.#own, work);
  }
}

function kindOf(error: unknown): string {
  if (error instanceof BaseError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}
