import type { Socket } from "node:net";
import { Agent, buildConnector, WebSocket } from "undici";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { isObject } from "../../lib/is-object.ts";
import { type RpcCall, type RpcOutcome, refusalOf } from "./json-rpc.ts";
import type { RpcLimits } from "./limits.ts";
import { requireResponseForm } from "./response-form.ts";
import type { EndpointUrl } from "./url.ts";

type Message = Record<string, unknown>;

const MINUTE_MS = 60_000;

/** JSON-RPC over one WebSocket connection. Ignores messages that it does not understand. */
export class RpcSocket {
  readonly #limits: RpcLimits;
  readonly #clock: Clock;
  readonly #notify: (params: Record<string, unknown>) => void;
  readonly #agent: Agent;
  readonly #socket: WebSocket;
  readonly #calls = new Map<number, (outcome: RpcOutcome) => void>();
  readonly #opened: Promise<void>;
  readonly #closed: Promise<SocketClosed>;
  #transport: Socket | null = null;
  #reason = "the server closed the connection";
  #nextId = 0;
  #minute: { startedAt: number; messages: number };

  /** @param notify receives the parameters of each notification from the server */
  constructor(
    url: EndpointUrl,
    limits: RpcLimits,
    clock: Clock,
    notify: (params: Record<string, unknown>) => void,
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#notify = notify;
    this.#minute = { startedAt: clock.monotonic(), messages: 0 };
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
   * Resolves when the server has accepted the WebSocket handshake.
   *
   * @throws NotUpgraded if the server refuses; SocketClosed if there is no connection
   */
  async open(): Promise<void> {
    const opened = await this.#inTime(this.#opened, "the connection did not open in time");
    if (!(opened instanceof SocketClosed)) return;
    throw this.#transport === null ? new SocketClosed("it cannot be reached") : new NotUpgraded();
  }

  /** @throws SocketClosed if the connection ends first, or if no response comes in time */
  async call({ method, params }: RpcCall): Promise<RpcOutcome> {
    const id = this.#nextId++;
    const response = new Promise<RpcOutcome>((resolve) => this.#calls.set(id, resolve));
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const outcome = await this.#inTime(response, `${method} received no response in time`);
    this.#calls.delete(id);
    if (outcome instanceof SocketClosed) throw outcome;
    return outcome;
  }

  /** Resolves with the reason when the connection has ended. */
  closed(): Promise<SocketClosed> {
    return this.#closed;
  }

  /** Ends the connection without waiting for the server. */
  close(reason: string): void {
    this.#reason = reason;
    this.#socket.close();
    this.#transport?.destroy();
    void this.#agent.destroy();
  }

  /** Closes the connection if the result takes longer than `connectTimeoutMs`. */
  async #inTime<T>(result: Promise<T>, reason: string): Promise<T | SocketClosed> {
    const cancelTimeout = this.#clock.after(this.#limits.connectTimeoutMs, () => this.close(reason));
    try {
      return await Promise.race([result, this.#closed]);
    } finally {
      cancelTimeout();
    }
  }

  #receive(data: unknown): void {
    this.#countMessage();
    if (this.#minute.messages > this.#limits.maxSocketMessagesPerMinute) {
      this.close("it sends messages faster than any chain produces blocks");
      return;
    }
    const message = typeof data === "string" ? parsed(data) : null;
    if (message === null) return;
    const resolve = typeof message.id === "number" ? this.#calls.get(message.id) : undefined;
    if (resolve !== undefined) resolve(outcomeOf(message));
    else if (isObject(message.params)) this.#notify(message.params);
  }

  #countMessage(): void {
    const now = this.#clock.monotonic();
    if (now - this.#minute.startedAt > MINUTE_MS) this.#minute = { startedAt: now, messages: 0 };
    this.#minute.messages++;
  }
}

function outcomeOf(message: Message): RpcOutcome {
  const { error, result } = message;
  return error === undefined || error === null ? { result } : { refusal: refusalOf(error) };
}

function parsed(text: string): Message | null {
  try {
    requireResponseForm(text);
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

/** A WebSocket connection ended, or could not be opened. */
export class SocketClosed extends BaseError {
  constructor(reason: string) {
    super("endpoint", reason, { retryable: true });
  }
}

/** The server does not accept WebSockets at this URL. */
export class NotUpgraded extends BaseError {
  constructor() {
    super("unsupported", "it does not accept WebSockets", { retryable: true });
  }
}
