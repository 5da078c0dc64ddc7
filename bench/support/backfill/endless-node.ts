/**
 * A node of the endless chain for other measurements: JSON-RPC over HTTP, in a process of its own. Its blocks
 * can not be verified, so clients turn verification off. `endless_served` returns the highest block it sent.
 *
 *   npx tsx bench/support/backfill/endless-node.ts BLOCKS
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { ethereum } from "../../../src/chains/ethereum.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";

/** How far below its head the node calls a block final. */
const FINAL_DEPTH = 64;

interface Call {
  id: number;
  method: string;
  params: [string | ContractCall, unknown];
}

const chain = await EndlessChain.open(ethereum);
const head = chain.first + Number(process.argv[2]) - 1;
let served = chain.first - 1;

function result({ method, params: [subject] }: Call): string {
  if (method === "eth_chainId") return `"0x${ethereum.chainId.toString(16)}"`;
  if (method === "endless_served") return String(served);
  if (method === "eth_call") return JSON.stringify(chain.call(subject as ContractCall));
  if (method === "eth_getCode") return '"0x"';
  const number = numberOf(String(subject));
  if (number > head) return "null";
  if (method === "eth_getBlockReceipts") {
    served = Math.max(served, number);
    return chain.json(number).receipts;
  }
  return chain.json(number).block;
}

function numberOf(tag: string): number {
  if (tag === "latest") return head;
  return tag === "finalized" ? head - FINAL_DEPTH : Number(tag);
}

function answer(call: Call): string {
  const value = result(call);
  const reverted = call.method === "eth_call" && value === "null";
  const outcome = reverted ? '"error":{"code":3,"message":"execution reverted"}' : `"result":${value}`;
  return `{"jsonrpc":"2.0","id":${call.id},${outcome}}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

const server = createServer(async (request, response) => {
  const calls = JSON.parse(await bodyOf(request)) as Call | Call[];
  response.setHeader("content-type", "application/json");
  response.end(Array.isArray(calls) ? `[${calls.map(answer).join(",")}]` : answer(calls));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`endless node on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
