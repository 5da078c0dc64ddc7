import net from "node:net";
import { startProcess } from "../processes/processes.ts";

/** An address that accepts no connections, like the address of a machine that is switched off. */
export interface UnacceptingAddress {
  url: string;
  stop(): Promise<unknown>;
}

/** Script of a process that listens but never accepts a connection, because it blocks its event loop. */
const LISTENER = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, "port " + server.address().port + "\\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** More connections than the system queues for the listener, so that further ones are not completed. */
const QUEUED_CONNECTIONS = 4;

export async function startUnacceptingAddress(): Promise<UnacceptingAddress> {
  const running = startProcess(process.execPath, ["-e", LISTENER]);
  const [, port] = await running.printed(/port (\d+)/);
  const sockets = Array.from({ length: QUEUED_CONNECTIONS }, () =>
    net.connect(Number(port), "127.0.0.1").on("error", () => {}),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return running.stop("SIGKILL");
    },
  };
}
