/**
 * A node for bench/backfill/indexing.ts. It serves provable blocks of the endless chain as JSON-RPC over
 * HTTP, in a separate process.
 *
 *   node --import tsx bench/support/indexing/provable-node.ts BLOCKS
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";
import { ProvableRpc } from "./provable-rpc.ts";

const chain = await EndlessChain.open(ethereum);
const rpc = new ProvableRpc(chain, Number(process.argv[2]));

const server = createServer(async (request, response) => {
  // A client sends GET to check for WebSockets.
  if (request.method !== "POST") return void response.writeHead(405).end();
  response.setHeader("content-type", "application/json");
  response.end(rpc.respond(await text(request)));
});
// The value of geth. Node's default of 5 s is too short for clients that are busy for longer between
// requests.
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`provable node on http://127.0.0.1:${port} from block ${chain.first}\n`);
});
