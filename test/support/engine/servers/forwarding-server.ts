import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";

interface Forwarding {
  /** Sent instead of the body of the request. */
  body?: Buffer;
  /** Called with the server's response, which is then not passed on. */
  answered?(answer: IncomingMessage): void;
}

/** An HTTP server in front of a ClickHouse server. It keeps its port when it is stopped and started again. */
export abstract class ForwardingServer {
  readonly #target: URL;
  #server = this.#newServer();
  #port = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isRunning(): boolean {
    return this.#server.listening;
  }

  async start(): Promise<void> {
    this.#server = this.#newServer();
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.isRunning) await new Promise((resolve) => this.#server.close(resolve));
  }

  protected abstract handle(request: IncomingMessage, response: ServerResponse): Promise<void>;

  protected closeConnections(which: "idle" | "all"): void {
    if (which === "idle") this.#server.closeIdleConnections();
    else this.#server.closeAllConnections();
  }

  protected forward(
    request: IncomingMessage,
    response: ServerResponse,
    { body, answered }: Forwarding = {},
  ): void {
    const { hostname, port } = this.#target;
    const { method, url: path } = request;
    const headers = body === undefined ? request.headers : withoutLength(request.headers);
    const forwarded = send({ hostname, port, method, path, headers, agent: false }, (answer) => {
      if (answered !== undefined) return answered(answer);
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    forwarded.once("error", () => request.socket.destroy());
    if (body === undefined) request.pipe(forwarded);
    else forwarded.end(body);
  }

  #newServer() {
    return createServer((request, response) => void this.handle(request, response));
  }
}

function withoutLength({
  "content-length": _,
  "transfer-encoding": __,
  ...headers
}: IncomingMessage["headers"]) {
  return headers;
}

/** Responds with an error of ClickHouse, such as "Code: 242. DB::Exception: ...". */
export function refuse(response: ServerResponse, text: string): void {
  const code = /Code: (\d+)/.exec(text)?.[1] ?? "";
  response.writeHead(500, { "x-clickhouse-exception-code": code }).end(text);
}

export const READ_ONLY = "Code: 242. DB::Exception: Table is in readonly mode. (TABLE_IS_READ_ONLY)";
