import { Agent } from "node:http";
import { type AgentOptions, Agent as TlsAgent } from "node:https";
import type { Duplex } from "node:stream";
import { systemClock } from "../../../lib/async/clock.ts";

/**
 * Time limit for a connection, including the TLS handshake. Without it, the system waits two minutes for an
 * address that does not respond, such as the address of a machine that is switched off.
 */
const CONNECT_MS = 5_000;

/**
 * Makes the agent for the connections to a server. It limits the time for connecting, not the time that a
 * statement may run.
 *
 * @param tls options of connections to an `https://` address
 */
export function serverAgent(url: string, tls: AgentOptions, maxSockets: number): Agent | TlsAgent {
  const options = { keepAlive: true, maxSockets };
  return new URL(url).protocol === "https:"
    ? new LimitedTlsAgent({ ...tls, ...options })
    : new LimitedAgent(options);
}

type Connection = ReturnType<Agent["createConnection"]>;

class LimitedAgent extends Agent {
  override createConnection(...args: Parameters<Agent["createConnection"]>): Connection {
    return limited(super.createConnection(...args), "connect");
  }
}

class LimitedTlsAgent extends TlsAgent {
  override createConnection(...args: Parameters<TlsAgent["createConnection"]>): Connection {
    return limited(super.createConnection(...args), "secureConnect");
  }
}

/** Ends a connection unless it becomes ready in time. */
function limited(connection: Connection, ready: "connect" | "secureConnect"): Connection {
  if (connection == null) return connection;
  const cancel = systemClock.after(CONNECT_MS, () => {
    // In a busy process, a connection can be ready before its event is handled.
    const check = setImmediate(() => connection.destroy(new ConnectTimeout()));
    onceEither(connection, ready, () => clearImmediate(check));
  });
  onceEither(connection, ready, cancel);
  return connection;
}

function onceEither(connection: Duplex, ready: string, act: () => void): void {
  connection.once(ready, act);
  connection.once("close", act);
}

/** Has the code and the syscall of the system's own error. */
class ConnectTimeout extends Error {
  readonly code = "ETIMEDOUT";
  readonly syscall = "connect";

  constructor() {
    super(`no connection within ${CONNECT_MS} ms`);
  }
}
