import { describe, expect, it } from "vitest";
import { acceptedFormat } from "./answer-media.ts";

describe("acceptedFormat", () => {
  it.each([
    [undefined, "json"],
    ["", "json"],
    ["*/*", "json"],
    ["application/*", "json"],
    ["application/json", "json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "json"],
    ["text/csv", "csv"],
    ["TEXT/CSV; charset=utf-8", "csv"],
    ["text/*", "csv"],
    ["text/csv, */*", "csv"],
    ["text/csv;q=0.1, */*;q=0.5", "json"],
    ["application/json;q=0.5, application/x-ndjson", "ndjson"],
    ["application/jsonl", "ndjson"],
    ["application/ndjson", "ndjson"],
    ["text/csv, application/json", "csv"],
    ["application/json, text/csv", "json"],
    ["application/json;q=0, */*", "ndjson"],
    ["application/vnd.apache.parquet", "parquet"],
    ["application/vnd.apache.arrow.stream", "arrow"],
  ])("%s: %s", (accept, format) => {
    expect(acceptedFormat(accept)).toBe(format);
  });

  it.each(["text/html", "application/vnd.apache.arrow.file", "application/json;q=0", "json", "*/*;q=x"])(
    "refuses %s, naming the available types",
    (accept) => {
      expect(() => acceptedFormat(accept)).toThrow(
        expect.objectContaining({
          status: 406,
          message: expect.stringMatching(/text\/csv.*parquet, arrow\.$/),
        }),
      );
    },
  );

  it("shortens a long header in the error", () => {
    expect(() => acceptedFormat("x/y,".repeat(10_000))).toThrow(/^.{0,500}$/);
  });
});
