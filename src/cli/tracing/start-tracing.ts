import { HTTP_URL_NEEDED, isHttpUrl, type TracingSetting } from "../../config/groups/tracing-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { systemClock } from "../../lib/async/clock.ts";
import type { Logger } from "../../lib/log.ts";
import { useTracer } from "../../lib/tracing/tracing.ts";
import { version } from "../package-folder.ts";

/** Traces of this process. */
export interface Tracing {
  /** Sends the remaining spans, and switches tracing off. */
  stop(): Promise<void>;
}

/** Time for the last spans at the end of the process: a collector that does not respond must not delay it. */
const LAST_SPANS_MS = 2_000;

const OFF: Tracing = { stop: async () => {} };

/**
 * Switches tracing on if the operator has named a collector. Otherwise, the libraries are not even loaded.
 */
export async function startTracing(
  { otlpEndpoint }: Settings<TracingSetting>,
  logger: Logger,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Tracing> {
  const url = tracesUrl(otlpEndpoint, env);
  if (url === null) return OFF;
  if (!isHttpUrl(url)) {
    // The variable may be set for all programs of the machine, so a wrong value does not keep the service
    // from starting.
    logger.warn(`no traces are sent: ${TRACES_ENDPOINT} ${HTTP_URL_NEEDED}`);
    return OFF;
  }
  warnOfOtherProtocol(env, logger);
  const { openTelemetry } = await import("./open-telemetry.ts");
  const { host } = new URL(url);
  const { tracer, shutdown } = openTelemetry({
    url,
    version: version(),
    onChange: (problem) => {
      if (problem === null) logger.info({ host }, "the trace collector accepts spans again");
      else logger.warn({ host, problem }, "the trace collector does not accept spans; they are dropped");
    },
  });
  useTracer(tracer);
  logger.info({ host }, "sending traces");
  return {
    async stop() {
      useTracer(null);
      const isSent = await endedInTime(shutdown());
      if (!isSent) logger.warn({ host }, "the last spans were not sent in time");
    },
  };
}

/** Runs work with tracing, and sends the last spans even if the work fails. */
export async function withTracing(
  settings: Settings<TracingSetting>,
  logger: Logger,
  work: () => Promise<void>,
): Promise<void> {
  const tracing = await startTracing(settings, logger);
  try {
    await work();
  } finally {
    await tracing.stop();
  }
}

const TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

/** Returns the URL at which the collector receives spans; null if no traces are sent. */
function tracesUrl(endpoint: string | undefined, env: NodeJS.ProcessEnv): string | null {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return null;
  const ofTraces = env[TRACES_ENDPOINT] ?? "";
  if (ofTraces !== "") return ofTraces;
  return endpoint === undefined ? null : `${endpoint.replace(/\/+$/, "")}/v1/traces`;
}

const PROTOCOL = "http/protobuf";

function warnOfOtherProtocol(env: NodeJS.ProcessEnv, logger: Logger): void {
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || PROTOCOL;
  if (protocol !== PROTOCOL) logger.warn({ protocol }, `traces are sent only as ${PROTOCOL}`);
}

/** Returns whether the work succeeds in time. */
async function endedInTime(work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const late = systemClock.sleep(LAST_SPANS_MS, over.signal).then(
    () => false,
    () => true,
  );
  try {
    return await Promise.race([work.then(() => true), late]);
  } catch {
    return false;
  } finally {
    over.abort();
  }
}
