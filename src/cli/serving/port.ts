import { once } from "node:events";
import { createServer } from "node:net";
import { BaseError } from "../../lib/error.ts";

interface Place {
  host: string;
  port: number;
}

/** Listens for a moment, and throws the system's error where that cannot be. */
export async function tryPort({ host, port }: Place): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
  } finally {
    server.close();
  }
}

/**
 * For before anything is opened or made: a service that cannot listen has nothing to do.
 *
 * @throws CannotListen
 */
export async function requirePort(place: Place): Promise<void> {
  try {
    await tryPort(place);
  } catch (cause) {
    throw new CannotListen(place, cause);
  }
}

/** `bad-config` */
export class CannotListen extends BaseError {
  constructor({ host, port }: Place, cause: unknown) {
    const taken = (cause as NodeJS.ErrnoException).code === "EADDRINUSE";
    const reason = taken ? "the port is in use by another process" : (cause as Error).message;
    super(
      "bad-config",
      `cannot listen on ${host}:${port}: ${reason}. Choose another with --port or QUARRY_PORT.`,
      { cause },
    );
  }
}
