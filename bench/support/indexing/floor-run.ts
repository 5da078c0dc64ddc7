/**
 * Does the least that every client of the node must do: fetches blocks with their receipts, and parses the
 * JSON.
 *
 *   node --import tsx bench/support/indexing/floor-run.ts '{"url":"http://...","from":1,...}'
 */
import { Pool } from "undici";
import { toQuantity } from "../../../src/lib/hex.ts";
import { type BlockSpan, measured, printRun } from "./run.ts";

/** Quarry also fetches mainnet's blocks two at a time, and starts with four requests at once. */
const BLOCKS_PER_REQUEST = 2;
const REQUESTS_AT_ONCE = 4;

interface Response {
  result: { logs: unknown[] }[];
}

const { url, from, measuredFrom, to } = JSON.parse(process.argv[2] ?? "{}") as BlockSpan;
const pool = new Pool(url, { connections: REQUESTS_AT_ONCE });

/** Fetches and parses the blocks. Returns the number of their logs. */
async function fetchSpan(first: number, last: number): Promise<number> {
  let next = first;
  let logs = 0;
  const fetchOn = async () => {
    while (next <= last) {
      const start = next;
      next += BLOCKS_PER_REQUEST;
      const found = await fetchBlocks(start, Math.min(start + BLOCKS_PER_REQUEST - 1, last));
      logs += found;
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, fetchOn));
  return logs;
}

async function fetchBlocks(first: number, last: number): Promise<number> {
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => toQuantity(first + i));
  const calls = numbers.flatMap((number) => [
    { method: "eth_getBlockByNumber", params: [number, true] },
    { method: "eth_getBlockReceipts", params: [number] },
  ]);
  const { body } = await pool.request({
    path: "/",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }))),
  });
  const responses = JSON.parse(await body.text()) as Response[];
  const receipts = responses.flatMap(({ result }, i) => (i % 2 === 1 ? result : []));
  return receipts.reduce((sum, { logs }) => sum + logs.length, 0);
}

await fetchSpan(from, measuredFrom - 1);
printRun(await measured(() => fetchSpan(measuredFrom, to)));
await pool.close();
