import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";

interface Listening {
  url: string;
  close(): Promise<void>;
}

/**
 * Listens on all addresses of a host, as one server with one set of limits. For `localhost`, Fastify would
 * open a second server, to which the limits would not apply.
 *
 * @param host `localhost` has up to two addresses; any other host is used as it is
 * @param addressesOf resolves `localhost`
 * @throws the system's error if the first address fails; other failures are logged
 */
export async function listenOn(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  addressesOf: (host: string) => Promise<string[]> = resolved,
): Promise<Listening> {
  const [first = host, ...others] = host === "localhost" ? await addressesOf(host) : [];
  const url = await app.listen({ host: first, port });
  const more = await Promise.all(others.map((address) => listenAlso(app, address)));
  return {
    url,
    close: async () => {
      const closed = more.map((server) => server !== null && closing(server));
      await Promise.all([app.close(), ...closed]);
    },
  };
}

async function resolved(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

/** Options with which Node's own HTTP server opens its sockets. */
const HTTP_SOCKETS = { allowHalfOpen: true, noDelay: true };

/**
 * Listens on another address as well, and passes its connections to the server. Returns null if the system
 * cannot listen there.
 */
async function listenAlso(app: FastifyInstance, host: string): Promise<Server | null> {
  const { port } = app.server.address() as { port: number };
  const server = createServer(HTTP_SOCKETS, (socket) => void app.server.emit("connection", socket));
  try {
    await once(server.listen({ host, port }), "listening");
    return server;
  } catch (error) {
    app.log.warn({ host, port }, `could not also listen on ${host}: ${(error as Error).message}`);
    return null;
  }
}

/** Resolves once the server's last connection has ended. */
function closing(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
