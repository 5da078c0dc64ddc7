import { connect, type Socket } from "node:net";

const ID = "\nid: ";
const WHOLE_ID = /^\nid: \d+:(\d+):/;
/** Number of characters that are enough for the beginning of a frame up to its block number. */
const ID_LENGTH = 64;
const LINE_END = 10;
/** Buffer that all connections read into, one after another. */
const READ = Buffer.allocUnsafe(512 * 1024);

export interface EventRequest {
  port: number;
  /** Loopback address to connect from. */
  from: string;
  /** The JSON body. */
  body: string;
}

/** A stream of server-sent events. It only finds the ids of frames, so it costs little. */
export class EventConnection {
  readonly socket: Socket;
  readonly #onFrame: (block: number) => void;
  /** Blocks of the frames that have begun to arrive. */
  readonly #begun: number[] = [];
  /** The end of the last read if it may be the beginning of an id. */
  #cut = "";
  bytes = 0;
  isClosed = false;

  /** @param onFrame called for each frame with an id once it has arrived */
  constructor({ port, from, body }: EventRequest, onFrame: (block: number) => void) {
    this.#onFrame = onFrame;
    const onread = { buffer: READ, callback: (length: number) => this.#take(READ.subarray(0, length)) };
    this.socket = connect({ port, host: "127.0.0.1", localAddress: from, onread });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.isClosed = true;
    });
    const head = "POST /v1/stream HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n";
    this.socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #take(read: Buffer): boolean {
    this.bytes += read.length;
    this.#findIds(read);
    // The JSON has no line ends, so the last frame is complete if the read ends with a line end.
    const whole = read.at(-1) === LINE_END ? this.#begun.length : this.#begun.length - 1;
    for (const block of this.#begun.splice(0, Math.max(0, whole))) this.#onFrame(block);
    return true;
  }

  #findIds(read: Buffer): void {
    if (this.#cut !== "") this.#add(this.#cut + read.toString("latin1", 0, ID_LENGTH));
    for (let at = read.indexOf(ID, 0, "latin1"); at >= 0; at = read.indexOf(ID, at + 1, "latin1"))
      this.#add(read.toString("latin1", at, Math.min(read.length, at + ID_LENGTH)));
    const line = read.toString(
      "latin1",
      Math.max(read.lastIndexOf(LINE_END), read.length - ID_LENGTH),
      read.length,
    );
    this.#cut = ID.startsWith(line) || (line.startsWith(ID) && !WHOLE_ID.test(line)) ? line : "";
  }

  #add(text: string): void {
    const block = WHOLE_ID.exec(text)?.[1];
    if (block !== undefined) this.#begun.push(Number(block));
  }
}
