import { expect, it } from "vitest";
import { clientCode, curlCommand } from "./api-request.ts";

const SERVICE = { url: "http://127.0.0.1:8080", key: false };
const TRICKY = `SELECT 'it''s' AS \`a\`, '\${x}\\' AS b`;

it("puts the parameters of a GET request into the URL", () => {
  const request = {
    method: "ohlc",
    parameters: { interval: "1h", fill: false, pool_address: undefined },
  } as const;
  expect(curlCommand(request, SERVICE)).toBe(
    "curl 'http://127.0.0.1:8080/v1/price/historical/ohlc?interval=1h&fill=false'",
  );
  expect(clientCode(request, SERVICE)).toContain('quarry.ohlc({\n  interval: "1h",\n  fill: false,\n});');
});

it("quotes SQL so that a shell and a program read it unchanged", () => {
  const request = { method: "sql", query: TRICKY } as const;
  const quoted = curlCommand(request, SERVICE).match(/-d '(.*)'$/s)?.[1];
  // Within single quotes, a shell takes every character literally except the single quote, which ends the
  // string.
  expect(quoted?.replaceAll(`'\\''`, "")).not.toContain("'");
  const body = quoted?.replaceAll(`'\\''`, "'");
  expect(JSON.parse(body ?? "")).toEqual({ query: TRICKY });
  const call = clientCode(request, SERVICE).match(/quarry\.sql\((.*)\);$/s)?.[1];
  // biome-ignore lint/security/noGlobalEval: the text is a program; the test runs it
  expect(globalThis.eval(call ?? "")).toBe(TRICKY);
});

it("names the variable of the API key, not the key", () => {
  const request = { method: "poolTvls", parameters: { pool_address: ["0x12"] } } as const;
  expect(curlCommand(request, { ...SERVICE, key: true })).toContain('-H "Authorization: Bearer $QUARRY_KEY"');
  expect(clientCode(request, { ...SERVICE, key: true })).toContain("key: process.env.QUARRY_KEY");
});
