import { pino } from "pino";
import { expect, it } from "vitest";
import { isTracing } from "../../lib/tracing/tracing.ts";
import { startTracing, withTracing } from "./start-tracing.ts";

const SETTINGS = { otlpEndpoint: "http://127.0.0.1:9" };

function memoryLogger() {
  const lines: string[] = [];
  return { lines, logger: pino({}, { write: (line) => void lines.push(line) }) };
}

it.each(["localhost:4318/secret", "secret", "file:///secret"])(
  "warns and sends nothing if the address for traces is not one: %s",
  async (address) => {
    const { lines, logger } = memoryLogger();
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address };
    await (await startTracing(SETTINGS, logger, env)).stop();
    expect(isTracing()).toBe(false);
    expect(lines).toEqual([
      expect.stringMatching(/OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http:\/\/ or https:\/\/ URL/),
    ]);
    expect(lines.join()).not.toContain("secret");
  },
);

it("ends when the work fails", async () => {
  const { logger } = memoryLogger();
  const wasTracing: boolean[] = [];
  const failing = withTracing(SETTINGS, logger, async () => {
    wasTracing.push(isTracing());
    throw new RangeError("no store");
  });
  await expect(failing).rejects.toThrow("no store");
  expect([wasTracing, isTracing()]).toEqual([[true], false]);
});
