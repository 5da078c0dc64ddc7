/**
 * A node of the endless chain whose head moves, and a client of the stream of trades. Both run in one
 * process, so one clock measures the time from the node's block to the client's frame. The parent process
 * controls them with messages.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { eventsOf } from "../../../test/streams/support/event-reader.ts";
import { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";
import { EndlessRpc } from "../endless-rpc.ts";
import { blockTimes, type ChainTimes } from "./block-times.ts";

export interface MeasureHeads extends ChainTimes {
  /** Address of the service. */
  url: string;
  blocks: number;
}

/** Times in milliseconds since the node got the block. */
export interface HeadTimes {
  /** Time when the node receives the request for its head. */
  asked: number;
  /** Time when the node receives the request for the block's receipts. */
  fetched: number;
  /** Time when the client receives the frame. */
  frame: number;
}

export interface Measured {
  times: HeadTimes[];
  /** Number of requests for the head, from the first block to the last. */
  headRequests: number;
}

/** Number of blocks at the start. */
const FIRST_BLOCKS = 12;

const isAnnouncing = process.argv[2] === "announced";
/** Timestamps in unix seconds of the blocks that were made during the measurement. */
const madeAt = new Map<number, number>();
/** Timestamp of the first blocks. Any value works, because only the differences between blocks matter. */
const EPOCH = 1_700_000_000;
const chain = await EndlessChain.open(ethereum, { timeOf: (number) => madeAt.get(number) ?? EPOCH });
const rpc = new EndlessRpc(chain, chain.first + FIRST_BLOCKS - 1);
const server = createServer(async (request, response) => {
  // A client sends GET to try to open a WebSocket.
  if (request.method !== "POST") return void response.writeHead(405).end();
  response.setHeader("content-type", "application/json");
  response.end(rpc.respond(await text(request)));
});
const sockets = isAnnouncing ? new WebSocketServer({ server }) : null;
sockets?.on("connection", (socket) => {
  socket.on("message", (message) => socket.send(rpc.respond(String(message))));
});

function announce(number: number): void {
  const result = rpc.announced(number);
  const message = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":${result}}}`;
  for (const socket of sockets?.clients ?? []) socket.send(message);
}

async function measure({ url, blocks, ...chainTimes }: MeasureHeads): Promise<Measured> {
  const start = rpc.head;
  const times = new Map<number, Partial<HeadTimes>>();
  const movedAt = new Map<number, number>();
  let headRequests = 0;
  const note = (number: number, what: keyof HeadTimes) => {
    const moved = movedAt.get(number);
    if (moved !== undefined) times.set(number, { [what]: performance.now() - moved, ...times.get(number) });
  };
  rpc.onRequest = (what, number) => {
    if (what === "receipts") return note(number, "fetched");
    if (movedAt.size > 0) headRequests++;
    // A request for the head also covers all blocks below it.
    for (const moved of movedAt.keys()) note(moved, "asked");
  };
  const reading = readFrames(`${url}/v1/stream?type=trades`, start + blocks, (number) =>
    note(number, "frame"),
  );
  await reading.started;
  const startedMs = performance.now();
  for (const [i, { dateMs, arrivalMs }] of blockTimes(blocks, chainTimes).entries()) {
    const number = start + 1 + i;
    madeAt.set(number, EPOCH + Math.floor(dateMs / 1000));
    rpc.make(number);
    await sleep(Math.max(0, startedMs + arrivalMs - performance.now()));
    movedAt.set(number, performance.now());
    rpc.head = number;
    announce(number);
  }
  await reading.ended;
  return { times: [...times.values()] as HeadTimes[], headRequests };
}

/** Reads frames until the frame of the last block. `started` resolves with the snapshot. */
function readFrames(url: string, last: number, onBlock: (number: number) => void) {
  const events = eventsOf(url);
  const started = events.next();
  const read = async () => {
    await started;
    for await (const { event, data } of events) {
      if (event === "block") onBlock(Number(data.block));
      if (event === "block" && data.block === last) return;
    }
  };
  return { started, ended: read() };
}

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, head: rpc.head });
});
process.on("disconnect", () => process.exit(0));
process.on("message", async (message) => {
  process.send?.(await measure(message as MeasureHeads));
});
