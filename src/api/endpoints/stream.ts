import { z } from "zod";
import { endpoint } from "../endpoint/endpoint.ts";
import { readStreamRequest, STREAM_PARAMETERS } from "../subscriptions/stream-request.ts";

const EXAMPLE = `id: 812:18937382:0x5ad1fc7c8e3e3a6c4e3d4f4d0a7a0a4f2e2c3b9a1d6c8e7f5a4b3c2d1e0f9a8b
event: block
data: {"chain":"eth","commit":812,"block":18937382,"hash":"0x5ad1fc7c8e3e3a6c4e3d4f4d0a7a0a4f2e2c3b9a1d6c8e7f5a4b3c2d1e0f9a8b","parent_hash":"0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05","timestamp":1704412823,"finalized":18937310,"data":{}}

`;

export const stream = endpoint({
  name: "stream",
  methods: ["GET", "POST"],
  path: "/v1/stream",
  protocol: "stream",
  title: "Live stream",
  summary:
    "Trades, transfers, prices, candles, pools, tokens and blocks as they are indexed, as server-sent events or over WebSocket: a snapshot, then one frame for each block. Streams can be resumed, and report reorgs.",
  parameters: STREAM_PARAMETERS,
  answer: z.string().describe("server-sent events; each has an id, the name of its event, and JSON data"),
  textType: "text/event-stream; charset=utf-8",
  example: { parameters: { type: "trades", min_usd: 10_000 }, answer: EXAMPLE },
  cost: "nothing",
  stream: readStreamRequest,
});
