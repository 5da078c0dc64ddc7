import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import type { Call } from "./rpc-endpoints.ts";

/** RFC 6455: the server appends this text to the client's key, and responds with the hash of both. */
const HANDSHAKE_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT_FRAME = 0x81;

export interface HeadServer {
  url: string;
  /** Number of all connections so far, and of the open ones. */
  connections(): number;
  open(): number;
  /** The headers of each handshake. */
  handshakes: IncomingMessage["headers"][];
  /** Sends a text message to all clients. */
  sendText(text: string): void;
  /** Announces a head to a subscription. Default: "0x1", the id that `SUBSCRIBING` returns. */
  announce(number: number, subscription?: string): void;
  /** Sends bytes to all clients. */
  send(bytes: Buffer): void;
  hangUp(): void;
}

/** Responds to every call with "0x1", which serves as the chain id and as the id of a subscription. */
const SUBSCRIBING = (): string => "0x1";

/**
 * Starts a WebSocket server that responds to calls with the given results. Sends no response if a result is
 * undefined.
 */
export async function headServer(respond: (call: Call) => unknown = SUBSCRIBING): Promise<HeadServer> {
  const open = new Set<Duplex>();
  const handshakes: IncomingMessage["headers"][] = [];
  let connections = 0;
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("upgrade", (request, socket) => {
    connections++;
    handshakes.push(request.headers);
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.on("end", () => socket.end());
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${HANDSHAKE_KEY}`);
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept.digest("base64")}\r\n\r\n`,
    );
    socket.on("data", (frame: Buffer) => {
      const text = clientText(frame);
      const response = text === null ? null : responseTo(JSON.parse(text), respond);
      if (response !== null) socket.write(textFrame(response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const send = (bytes: Buffer) => {
    for (const socket of open) socket.write(bytes);
  };
  const hangUp = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(async () => {
    hangUp();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    open: () => open.size,
    handshakes,
    sendText: (text) => send(textFrame(text)),
    announce: (number, subscription = "0x1") => send(textFrame(announcement(number, subscription))),
    send,
    hangUp,
  };
}

function announcement(number: number, subscription: string): string {
  const result = { number: `0x${number.toString(16)}`, hash: `0x${number.toString(16).padStart(64, "0")}` };
  return JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } });
}

function responseTo(call: Call & { id: number }, respond: (call: Call) => unknown): string | null {
  const result = respond(call);
  if (result === undefined) return null;
  return JSON.stringify(
    result instanceof Error
      ? { jsonrpc: "2.0", id: call.id, error: { code: -32601, message: result.message } }
      : { jsonrpc: "2.0", id: call.id, result },
  );
}

/** Returns the text of a client's frame, which is masked and short; null for control frames. */
function clientText(frame: Buffer): string | null {
  if (frame[0] !== TEXT_FRAME) return null;
  const short = (frame[1] ?? 0) & 0x7f;
  const [length, at] = short < 126 ? [short, 2] : [frame.readUInt16BE(2), 4];
  const mask = frame.subarray(at, at + 4);
  const masked = frame.subarray(at + 4, at + 4 + length);
  return masked.map((byte, i) => byte ^ (mask[i % 4] ?? 0)).toString();
}

function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const header =
    body.length < 126
      ? Buffer.from([TEXT_FRAME, body.length])
      : Buffer.from([TEXT_FRAME, 127, ...new Uint8Array(8)]);
  if (body.length >= 126) header.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([header, body]);
}
