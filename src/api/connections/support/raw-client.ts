import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A client that sends bytes as they are. */
export interface RawClient {
  socket: Socket;
  port: number;
  /** Returns what the server has sent so far. */
  text: () => string;
  /** Returns the statuses of the responses so far. */
  statuses: () => number[];
}

/** Connects to a server until the test is finished. */
export function rawClient({ server }: { server: Server }, localAddress = "127.0.0.1"): RawClient {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  socket.on("error", () => undefined);
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { socket, port, text: () => text, statuses };
}
