/**
 * A node of the endless chain for other measurements. It serves JSON-RPC over HTTP in a separate process. Its
 * blocks cannot be verified, so clients must turn verification off. `endless_served` returns the highest
 * block that it has sent.
 *
 *   npx tsx bench/support/backfill/endless-node.ts BLOCKS
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";
import { EndlessRpc } from "../endless-rpc.ts";

const chain = await EndlessChain.open(ethereum);
const rpc = new EndlessRpc(chain, chain.first + Number(process.argv[2]) - 1);

const server = createServer(async (request, response) => {
  // A client sends GET to check for WebSockets.
  if (request.method !== "POST") return void response.writeHead(405).end();
  response.setHeader("content-type", "application/json");
  response.end(rpc.respond(await text(request)));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`endless node on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
