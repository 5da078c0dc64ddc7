import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestTracer } from "../support/test-tracer.ts";
import { inThisSpan, runLast, runPart, startTrace, traced, tracedNow, useTracer } from "./tracing.ts";

const failing = () => Promise.reject(new RangeError("no"));

describe("without a tracer", () => {
  it("work runs as it is", async () => {
    expect(await traced("part", async ({ isRecorded }) => isRecorded)).toBe(false);
    expect(tracedNow("part", () => 7)).toBe(7);
    expect(startTrace("all").run(() => 7)).toBe(7);
    expect(inThisSpan()(() => 7)).toBe(7);
    await expect(traced("part", failing)).rejects.toThrow("no");
  });
});

describe("with a tracer", () => {
  let tracer: TestTracer;
  beforeEach(() => {
    tracer = new TestTracer();
    useTracer(tracer);
  });
  afterEach(() => useTracer(null));

  it("records the parts of a trace, each ended once, and no part without a trace", async () => {
    await traced("alone", async () => {});
    const span = startTrace("all");
    await runPart(span, () => traced("first", async () => tracedNow("inner", () => {})));
    await runLast(span, () => traced("second", async () => {}));
    expect(tracer.spans.map(({ name, parent, ends }) => [name, parent, ends])).toEqual([
      ["all", null, 1],
      ["first", "all", 1],
      ["inner", "first", 1],
      ["second", "all", 1],
    ]);
  });

  it.each([runPart, runLast])("records a failure once in each span that it ends", async (run) => {
    await expect(run(startTrace("all"), () => traced("part", failing))).rejects.toThrow("no");
    expect(tracer.spans).toMatchObject(Array(2).fill({ error: new RangeError("no"), ends: 1 }));
  });

  it("keeps the span of work that another trace continues", async () => {
    const inSpan = startTrace("one").run(inThisSpan);
    await startTrace("other").run(() => inSpan(() => traced("part", async () => {})));
    expect(tracer.spans.at(-1)).toMatchObject({ name: "part", parent: "one" });
  });
});
