import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiOptions, createServer } from "../../src/api/http/server.ts";
import type { Market } from "../../src/reads/support/market.ts";
import { serveWriter, Writer } from "../../test/streams/support/stream-service.ts";

/** A server on a port of its own. */
export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Starts the real service over a market. */
export async function serve(market: Market, options: Partial<ApiOptions> = {}): Promise<Listening> {
  const app = await createServer({ engine: market.engine, chains: market.chains, ...options });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url, close: () => app.close() };
}

/** Starts it with the newest trades in memory and connected to the market's commits, as streams require. */
export async function serveLive(market: Market, options: Partial<ApiOptions> = {}): Promise<Listening> {
  const writer = new Writer();
  market.store.follow(writer);
  const { url, stop } = await serveWriter(market.engine, market.store, writer, options);
  return { url, close: stop };
}

/** A server with given responses, for those that the real one sends only under stress. */
export async function serveAnswers(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const server = createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
