import { connect, type Socket } from "node:net";

/** A response. The body is empty unless the connection keeps bodies. */
export interface Response {
  status: number;
  body: string;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/**
 * An HTTP/1.1 connection that stays open. It only finds the end of each response, so the clients cost far
 * less than the server.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #keepsBodies: boolean;
  #pieces: Buffer[] = [];
  #received = 0;
  /** Size of the whole response in bytes. 0 until its head has arrived, infinite for a chunked response. */
  #expected = 0;
  /** The last bytes of a chunked response. */
  #tail = Buffer.alloc(0);
  #settle: { resolve: (response: Response) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket, keepsBodies: boolean) {
    this.#socket = socket;
    this.#keepsBodies = keepsBodies;
    socket.setNoDelay(true);
    socket.on("data", (piece) => this.#take(piece));
    socket.on("error", (error) => this.#settle?.reject(error));
    socket.on("close", () => this.#settle?.reject(new TypeError("the server closed the connection")));
  }

  /** @param from a loopback address. It can vary because the service limits the requests of each address. */
  static open(port: number, keepsBodies = false, from = "127.0.0.1"): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: from });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(socket, keepsBodies));
      });
    });
  }

  send(request: Buffer): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = null;
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    this.#received += piece.length;
    if (this.#pieces.length === 0 || this.#keepsBodies || this.#expected === 0) this.#pieces.push(piece);
    if (this.#expected === 0) this.#readHead();
    if (this.#expected > 0 && (this.#received >= this.#expected || this.#hasLastChunk(piece))) this.#finish();
  }

  #hasLastChunk(piece: Buffer): boolean {
    if (this.#expected !== Number.POSITIVE_INFINITY) return false;
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length);
    return this.#tail.equals(LAST_CHUNK);
  }

  #readHead(): void {
    const start = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const end = start?.indexOf(HEAD_END) ?? -1;
    if (start === undefined || end < 0) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(start.toString("latin1", 0, end))?.[1];
    const isBodyless = start.toString("latin1", 9, 12) === "304";
    this.#expected =
      length === undefined && !isBodyless
        ? Number.POSITIVE_INFINITY
        : end + HEAD_END.length + Number(isBodyless ? 0 : length);
  }

  #finish(): void {
    const start = this.#pieces[0] ?? Buffer.alloc(0);
    const status = Number(start.toString("latin1", 9, 12));
    const keeps = this.#keepsBodies || status !== 200;
    const text = keeps ? Buffer.concat(this.#pieces).toString() : "";
    this.#pieces = [];
    this.#received = 0;
    this.#expected = 0;
    this.#settle?.resolve({ status, body: text.slice(text.indexOf("\r\n\r\n") + 4) });
  }
}
