import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A node that has all blocks, but only the state of the newest ones. */
export interface FullNode {
  url: string;
  /** Requests for state that it does not have. */
  inVain(): number;
  stop(): Promise<void>;
}

interface Request {
  id: number;
  method: string;
  params: unknown[];
}

/** Methods that read state, with the position of the block among their parameters. */
const STATE_METHODS: Record<string, number> = {
  eth_call: 1,
  eth_getCode: 1,
  eth_getBalance: 1,
  eth_getStorageAt: 2,
};

/** Passes requests on to an archive, and refuses those for old state as geth does. */
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
  const respond = async (request: Request) => {
    const block = request.params[STATE_METHODS[request.method] ?? -1];
    const { result: newest } = await post({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
    if (!isNumber(block) || Number(newest) - Number(block) < keptBlocks) return post(request);
    inVain++;
    const message = `missing trie node ${"5f".repeat(32)} (path ) state 0x${"5f".repeat(32)} is not available, not found`;
    return { jsonrpc: "2.0", id: request.id, error: { code: -32000, message } };
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Request | Request[];
    response.end(
      JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(respond)) : await respond(body)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inVain: () => inVain,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function isNumber(block: unknown): block is string {
  return typeof block === "string" && block.startsWith("0x");
}
