import type { Node } from "../processes/processes.ts";
import { type JsonRpcRequest, startJsonRpcServer } from "./json-rpc-server.ts";

/** A node with all blocks, but only the state of the newest ones. */
export interface FullNode extends Node {
  /** Number of refused requests for state that the node does not have. */
  inVain(): number;
}

/** Methods that read state, with the index of their block parameter. */
const STATE_METHODS: Record<string, number> = {
  eth_call: 1,
  eth_getCode: 1,
  eth_getBalance: 1,
  eth_getStorageAt: 2,
};

/** Passes requests on to an archive node, but refuses requests for old state, as geth does. */
export async function startFullNode(archive: string, keptBlocks: number): Promise<FullNode> {
  let inVain = 0;
  const post = async (body: unknown) => {
    const response = await fetch(archive, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { result?: unknown };
  };
  const numberOf = async (hash: string) => {
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByHash", params: [hash, false] };
    return ((await post(request)).result as { number: string } | null)?.number;
  };
  const respond = async (request: JsonRpcRequest) => {
    const named = request.params[STATE_METHODS[request.method] ?? -1];
    const block = isByHash(named) ? await numberOf(named.blockHash) : named;
    const { result: newest } = await post({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
    if (!isNumber(block) || Number(newest) - Number(block) < keptBlocks) return post(request);
    inVain++;
    const message = `missing trie node ${"5f".repeat(32)} (path ) state 0x${"5f".repeat(32)} is not available, not found`;
    return { jsonrpc: "2.0", id: request.id, error: { code: -32000, message } };
  };
  return { ...(await startJsonRpcServer(respond)), inVain: () => inVain };
}

function isByHash(block: unknown): block is { blockHash: string } {
  return typeof block === "object" && block !== null;
}

function isNumber(block: unknown): block is string {
  return typeof block === "string" && block.startsWith("0x");
}
