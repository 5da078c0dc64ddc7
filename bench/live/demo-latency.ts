/**
 * Once the demo's node has a block, how long does it take until a client of `/v1/stream` gets the block's
 * frame? Starts the real demo. This process is the client, and listens to the node's announcements of its
 * heads, so one clock measures both.
 *
 *   npm run bench -- demo-latency [--blocks 100] [--days 0.5]
 */
import { loadavg } from "node:os";
import WebSocket from "ws";
import { eventsOf } from "../../test/streams/support/event-reader.ts";
import { benchOptions } from "../support/bench-options.ts";
import { startDemo } from "../support/demo.ts";
import { printTable } from "../support/print-table.ts";

const { blocks, days } = benchOptions({ blocks: 100, days: 0.5 }, { blocks: 5, days: 0.05 });

/** Number of blocks before the measurement, which warm up the code. */
const WARM_UP = Math.min(20, blocks);

const demo = await startDemo(days);
const node = await followNode(await nodeUrlOf(demo.url));
try {
  report(await latencies());
} finally {
  node.close();
  await demo.stop();
}
process.exit(0);

async function nodeUrlOf(url: string): Promise<string> {
  const answer = await (await fetch(`${url}/v1/status`)).json();
  const [chain] = (answer as { chains: { endpoints: { url: string }[] | null }[] }).chains;
  return chain?.endpoints?.[0]?.url ?? "";
}

/** Notes when the node announces each block, as the time of `performance.now()`, by block number. */
async function followNode(url: string): Promise<{ announced: Map<number, number>; close(): void }> {
  const announced = new Map<number, number>();
  const socket = new WebSocket(url.replace("http", "ws"));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.on("message", (message) => {
    const head = JSON.parse(String(message)).params?.result;
    if (head !== undefined) announced.set(Number(head.number), performance.now());
  });
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
  return { announced, close: () => socket.terminate() };
}

/** Returns the time from the announcement to the frame, in ms, of each block after the warm-up. */
async function latencies(): Promise<number[]> {
  const found: number[] = [];
  for await (const { event, data } of eventsOf(`${demo.url}/v1/stream?type=trades`)) {
    const announcedMs = node.announced.get(Number(data.block));
    if (event !== "block" || announcedMs === undefined) continue;
    found.push(performance.now() - announcedMs);
    if (found.length === WARM_UP + blocks) break;
  }
  return found.slice(WARM_UP);
}

function report(times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN);
  printTable(["blocks", "frame, p50 ms", "p95", "p99"], [[sorted.length, at(0.5), at(0.95), at(0.99)]]);
  process.stdout.write(`load of the machine at the end: ${loadavg()[0]?.toFixed(1)}\n`);
}
