import { z } from "zod";
import { setting } from "../setting.ts";

export const HTTP_URL_NEEDED = "must be an http:// or https:// URL";

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Settings for traces. All programs that use OpenTelemetry read the same environment variable. */
export const TRACING_SETTINGS = {
  otlpEndpoint: setting({
    group: "General",
    isSecret: true,
    flag: "--otlp-endpoint <url>",
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    schema: z.string().refine(isHttpUrl, HTTP_URL_NEEDED).optional(),
    doc: "send OpenTelemetry traces to the collector at this address, such as http://127.0.0.1:4318; default: no traces",
  }),
} as const;

export type TracingSetting = keyof typeof TRACING_SETTINGS;
