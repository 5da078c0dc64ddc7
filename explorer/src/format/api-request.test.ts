import { expect, it } from "vitest";
import { clientCode, curlCommand } from "./api-request.ts";

const AT = { url: "http://127.0.0.1:8080", key: false };
const TRICKY = `SELECT 'it''s' AS \`a\`, '\${x}\\' AS b`;

it("tells a question with few parameters as an address", () => {
  const request = {
    method: "ohlc",
    question: { interval: "1h", fill: false, pool_address: undefined },
  } as const;
  expect(curlCommand(request, AT)).toBe(
    "curl 'http://127.0.0.1:8080/v1/price/historical/ohlc?interval=1h&fill=false'",
  );
  expect(clientCode(request, AT)).toContain('quarry.ohlc({\n  interval: "1h",\n  fill: false,\n});');
});

it("tells SQL so that a shell and a program take it as it is", () => {
  const request = { method: "sql", question: TRICKY } as const;
  const quoted = curlCommand(request, AT).match(/-d '(.*)'$/s)?.[1];
  // In single quotes a shell leaves all as it is, but for the quote: it ends them, and stands alone.
  expect(quoted?.replaceAll(`'\\''`, "")).not.toContain("'");
  const body = quoted?.replaceAll(`'\\''`, "'");
  expect(JSON.parse(body ?? "")).toEqual({ query: TRICKY });
  const call = clientCode(request, AT).match(/quarry\.sql\((.*)\);$/s)?.[1];
  // biome-ignore lint/security/noGlobalEval: the text is a program, and this is what running it gives
  expect(globalThis.eval(call ?? "")).toBe(TRICKY);
});

it("names a key and does not tell it", () => {
  const request = { method: "poolTvls", question: { pool_address: ["0x12"] } } as const;
  expect(curlCommand(request, { ...AT, key: true })).toContain('-H "Authorization: Bearer $QUARRY_KEY"');
  expect(clientCode(request, { ...AT, key: true })).toContain("key: process.env.QUARRY_KEY");
});
