import type { Worker } from "node:cluster";

/** The module of Node.js that distributes connections marks its messages with this command. */
const CLUSTER = "NODE_CLUSTER";
/** Its message that hands a connection to a worker. The worker's reply has the message's number. */
const HANDED = "newconn";

interface ClusterMessage {
  cmd?: unknown;
  act?: unknown;
  seq?: number;
  ack?: number;
}

interface Connection {
  close(): void;
}

/**
 * Gives connections to another worker if the one that got them ends without accepting them. Node.js forgets
 * such a connection: it stays open without a response until the client gives up. At most one connection at a
 * time waits for a worker, but for a worker that hangs it does so until that worker is killed.
 */
export class HandedConnections {
  readonly #listening = new Set<Worker>();

  /** Must be called when a worker is started. */
  follow(worker: Worker): void {
    const { process } = worker;
    const waiting = followMessages(process);
    worker.once("listening", () => this.#listening.add(worker));
    worker.once("exit", () => this.#listening.delete(worker));
    // By then, all replies of the worker have been read.
    process.once("close", () => {
      if (waiting.size > 0) this.#handAgain(process, waiting);
    });
  }

  #handAgain(process: Worker["process"], waiting: ReadonlyMap<number, Connection>): void {
    // Node.js never emits this event while a connection waits, so it would give the worker another one.
    process.emit("disconnect");
    for (const [seq, connection] of waiting) {
      if (this.#listening.size === 0) connection.close();
      else process.emit("internalMessage", { cmd: CLUSTER, ack: seq, accepted: false });
    }
  }
}

/** Returns the connections handed to a process that it has not accepted yet, by message number. */
function followMessages(process: Worker["process"]): ReadonlyMap<number, Connection> {
  const waiting = new Map<number, Connection>();
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]) => {
    const [message, connection] = args as [ClusterMessage, Connection];
    if (message.cmd === CLUSTER && message.act === HANDED && message.seq !== undefined)
      waiting.set(message.seq, connection);
    return send(...args);
  };
  process.on("internalMessage", ({ cmd, ack }: ClusterMessage) => {
    if (cmd === CLUSTER && ack !== undefined) waiting.delete(ack);
  });
  return waiting;
}
