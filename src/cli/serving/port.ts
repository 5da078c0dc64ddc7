import { once } from "node:events";
import { createServer } from "node:net";
import { BaseError } from "../../lib/error.ts";

/** Listens on the port briefly. @throws the system's error if that fails */
export async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
  } finally {
    server.close();
  }
}

/**
 * Checks that the service can listen on the port. Must be called before anything is opened or created,
 * because a service that cannot listen is useless.
 *
 * @throws CannotListen
 */
export async function requirePort(host: string, port: number): Promise<void> {
  try {
    await tryPort(host, port);
  } catch (cause) {
    throw new CannotListen(host, port, cause);
  }
}

export class CannotListen extends BaseError {
  constructor(host: string, port: number, cause: unknown) {
    const taken = (cause as NodeJS.ErrnoException).code === "EADDRINUSE";
    const reason = taken ? "the port is in use by another process" : (cause as Error).message;
    super(
      "bad-config",
      `cannot listen on ${host}:${port}: ${reason}. Choose another port with --port or QUARRY_PORT.`,
      { cause },
    );
  }
}
