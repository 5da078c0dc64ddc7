import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Node } from "../processes/processes.ts";

export interface JsonRpcRequest {
  id: number;
  method: string;
  params: unknown[];
}

/** Serves JSON-RPC over HTTP on a free local port. Accepts single requests and batches. */
export async function startJsonRpcServer(
  respond: (request: JsonRpcRequest) => object | Promise<object>,
): Promise<Node> {
  const server = createServer(async (request, response) => {
    // A client that tries to open a WebSocket sends GET.
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: JsonRpcRequest | JsonRpcRequest[] = JSON.parse(Buffer.concat(chunks).toString());
    const answer = Array.isArray(body) ? await Promise.all(body.map(respond)) : await respond(body);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
