import type { Socket } from "node:net";
import { Agent, buildConnector, WebSocket } from "undici";
import { BaseError } from "../../lib/error.ts";
import { type RpcCall, type RpcOutcome, refusalOf } from "./json-rpc.ts";
import type { RpcLimits } from "./limits.ts";
import type { EndpointUrl } from "./url.ts";

export interface RpcSocketOptions {
  url: EndpointUrl;
  limits: RpcLimits;
  /** Takes the parameters of what the server sends unasked. */
  notify: (params: Record<string, unknown>) => void;
}

type Message = Record<string, unknown>;

const MINUTE_MS = 60_000;

/** JSON-RPC over one WebSocket connection. Whatever it does not understand it passes over. */
export class RpcSocket {
  readonly #options: RpcSocketOptions;
  readonly #agent: Agent;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (outcome: RpcOutcome) => void>();
  readonly #opened: Promise<void>;
  readonly #closed: Promise<SocketClosed>;
  #transport: Socket | null = null;
  #reason = "it was closed by the other side";
  #calls = 0;
  #minute = { startedAt: Date.now(), messages: 0 };

  constructor(options: RpcSocketOptions) {
    const { url, limits } = options;
    this.#options = options;
    const connect = buildConnector({ timeout: limits.connectTimeoutMs });
    this.#agent = new Agent({
      webSocket: { maxPayloadSize: limits.maxSocketMessageBytes },
      connect: (target, done) =>
        connect(target, (...[error, transport]) => {
          if (error !== null) return done(error, null);
          this.#transport = transport;
          done(null, transport);
        }),
    });
    const headers: Record<string, string> =
      url.authorization === null ? {} : { authorization: url.authorization };
    this.#socket = new WebSocket(url.socketUrl, { dispatcher: this.#agent, headers });
    this.#opened = new Promise((resolve) => this.#socket.addEventListener("open", () => resolve()));
    this.#closed = new Promise((resolve) =>
      this.#socket.addEventListener("close", () => resolve(new SocketClosed(this.#reason))),
    );
    this.#socket.addEventListener("message", ({ data }) => this.#receive(data));
  }

  /**
   * Resolves when the server has taken the connection for a WebSocket.
   *
   * @throws NotUpgraded when it answers otherwise, SocketClosed when there is no connection at all
   */
  async open(): Promise<void> {
    const timer = setTimeout(
      () => this.close("it did not open in time"),
      this.#options.limits.connectTimeoutMs,
    );
    const problem = await Promise.race([this.#opened, this.#closed]);
    clearTimeout(timer);
    if (problem === undefined) return;
    throw this.#transport === null ? new SocketClosed("it cannot be reached") : new NotUpgraded();
  }

  /** @throws SocketClosed when the connection ends first, or there is no answer in time */
  async call({ method, params }: RpcCall): Promise<RpcOutcome> {
    const id = this.#calls++;
    const answered = new Promise<RpcOutcome>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const timer = setTimeout(
      () => this.close(`${method} was not answered in time`),
      this.#options.limits.connectTimeoutMs,
    );
    const outcome = await Promise.race([answered, this.#closed]);
    clearTimeout(timer);
    this.#waiting.delete(id);
    if (outcome instanceof SocketClosed) throw outcome;
    return outcome;
  }

  /** Resolves with the reason when the connection has ended. */
  closed(): Promise<SocketClosed> {
    return this.#closed;
  }

  /** Ends it without waiting for the other side. */
  close(reason: string): void {
    this.#reason = reason;
    this.#socket.close();
    this.#transport?.destroy();
    void this.#agent.destroy();
  }

  #receive(data: unknown): void {
    if (this.#isFlooded()) {
      this.close("it sends more than any chain has to tell");
      return;
    }
    const message = typeof data === "string" ? parsed(data) : null;
    if (message === null) return;
    const answer = typeof message.id === "number" ? this.#waiting.get(message.id) : undefined;
    if (answer !== undefined) answer(outcomeOf(message));
    else if (isObject(message.params)) this.#options.notify(message.params);
  }

  #isFlooded(): boolean {
    const now = Date.now();
    if (now - this.#minute.startedAt > MINUTE_MS) this.#minute = { startedAt: now, messages: 0 };
    return ++this.#minute.messages > this.#options.limits.maxSocketMessagesPerMinute;
  }
}

function outcomeOf(message: Message): RpcOutcome {
  const { error, result } = message;
  return error === undefined || error === null ? { result } : { refusal: refusalOf(error) };
}

function parsed(text: string): Message | null {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A WebSocket connection ended or never was. */
export class SocketClosed extends BaseError {
  constructor(reason: string) {
    super("endpoint", reason, { retryable: true });
  }
}

/** The server takes no WebSockets at this URL. */
export class NotUpgraded extends BaseError {
  constructor() {
    super("unsupported", "it does not take WebSockets", { retryable: true });
  }
}
