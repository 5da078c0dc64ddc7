import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { FairTurns } from "../../../lib/queues/fair-turns.ts";
import { addressGroup } from "../../admission/address-group.ts";
import { ChunkJoiner } from "./chunk-joiner.ts";

type Listener = (part: Buffer) => void;

/** The listeners that join the chunks of a connection's body. */
const joining = new WeakMap<Socket, Listener>();
/** Connections whose next request has a body that is joined. */
const expecting = new WeakSet<Socket>();

/** Returns whether a request has a body in chunks. Node rejects requests with other transfer encodings. */
export function isChunked({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}

/**
 * Returns whether the request now arriving on a connection has a body that is joined. Must be called only
 * once.
 */
export function takeJoined(socket: Socket): boolean {
  return expecting.delete(socket);
}

interface Connection {
  server: Server;
  socket: Socket;
  turns: FairTurns;
}

/**
 * Connects the server to a connection whose request has a body in chunks. Chunks that arrive together are
 * joined. Addresses take turns, because Node would otherwise read up to 2 MiB of each connection before it
 * serves anything else.
 *
 * @param headBytes length of the request up to its body
 */
export function connectJoined({ server, socket, turns }: Connection, headBytes: number): void {
  server.emit("connection", socket);
  // Without this, Node would detach the connection again, for the same request.
  expecting.add(socket);
  const [parse] = socket.listeners("data") as Listener[];
  if (parse === undefined) return;
  const address = addressGroup(socket.remoteAddress ?? "");
  const joiner = new ChunkJoiner();
  let headLeft = headBytes;
  const parseJoined = (part: Buffer) => {
    const head = part.subarray(0, headLeft);
    headLeft -= head.length;
    const joined = Buffer.concat([head, joiner.push(part.subarray(head.length))]);
    if (joined.length > 0) parse(joined);
  };
  let isWaiting = false;
  const join = (part: Buffer) => {
    if (isWaiting) {
      // Node resumes the connection when the body received so far has been read.
      socket.pause();
      socket.unshift(part);
      return;
    }
    const turn = turns.next(address, "chunk");
    if (turn === null) return parseJoined(part);
    isWaiting = true;
    socket.pause();
    void turn.then(() => {
      isWaiting = false;
      if (socket.destroyed) return;
      // Resume before parsing the part, because parsing may pause the connection for another reason.
      socket.resume();
      parseJoined(part);
    });
  };
  joining.set(socket, join);
  // Once another listener reads the connection, Node no longer reads it directly.
  socket.off("data", parse).on("data", join);
}

/** Must be called when Node hands a connection over, before anything else reads from it. */
export function stopJoining(socket: Socket): void {
  const join = joining.get(socket);
  if (join === undefined) return;
  joining.delete(socket);
  socket.off("data", join);
}
