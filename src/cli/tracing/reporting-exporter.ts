import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";

/** Reports when the collector stops accepting spans, and when it accepts them again, but not each failure. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #onChange: (problem: string | null) => void;
  #isFailing = false;

  constructor(exporter: SpanExporter, onChange: (problem: string | null) => void) {
    this.#exporter = exporter;
    this.#onChange = onChange;
  }

  export(spans: ReadableSpan[], report: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      const isFailing = result.code === ExportResultCode.FAILED;
      if (isFailing !== this.#isFailing) {
        this.#isFailing = isFailing;
        this.#onChange(isFailing ? problemOf(result.error) : null);
      }
      report(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

/** Returns a description of the error. Some errors, such as a refused connection, have an empty message. */
function problemOf(error: Error | undefined): string {
  const { code, message = "" } = (error ?? {}) as NodeJS.ErrnoException;
  return [code, message].filter((part) => part !== undefined && part !== "").join(" ") || "no response";
}
