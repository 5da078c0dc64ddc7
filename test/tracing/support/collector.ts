import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { bytesIn, type Fields, fieldsOf, messagesIn, numberIn } from "./protobuf.ts";

type Value = string | number | boolean;

/** A span as a collector receives it. */
export interface ReceivedSpan {
  traceId: string;
  id: string;
  /** Null for the first span of a trace. */
  parentId: string | null;
  traceState: string;
  name: string;
  /** As in OpenTelemetry: 1 internal, 2 server, 3 client. */
  kind: number;
  startNs: bigint;
  endNs: bigint;
  facts: Record<string, Value>;
  isFailed: boolean;
  events: number;
  /** Attributes of the process. */
  resource: Record<string, Value>;
}

/** How a collector responds: as usual, with 503, or never. */
export type CollectorMode = "accept" | "refuse" | "silent";

/** A trace collector: the HTTP receiver of the OpenTelemetry protocol. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  readonly requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  /** Everything received, as text. */
  text = "";
  mode: CollectorMode = "accept";
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push({ url: request.url ?? "", headers: request.headers });
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        if (this.mode === "silent") return;
        if (this.mode === "refuse") return void response.writeHead(503, { "retry-after": "1" }).end();
        const body = Buffer.concat(pieces);
        this.text += body.toString("latin1");
        this.spans.push(...spansIn(fieldsOf(body)));
        response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
      });
    });
  }

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(0, "127.0.0.1", resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  childrenOf(parent: ReceivedSpan): ReceivedSpan[] {
    return this.spans.filter(({ traceId, parentId }) => traceId === parent.traceId && parentId === parent.id);
  }
}

function spansIn(request: Fields): ReceivedSpan[] {
  return messagesIn(request, 1).flatMap((ofResource) => {
    const resource = messagesIn(ofResource, 1).map((one) => factsIn(one, 1))[0] ?? {};
    return messagesIn(ofResource, 2)
      .flatMap((ofScope) => messagesIn(ofScope, 2))
      .map((span) => ({ ...spanOf(span), resource }));
  });
}

function spanOf(span: Fields): Omit<ReceivedSpan, "resource"> {
  const status = messagesIn(span, 15)[0];
  return {
    traceId: bytesIn(span, 1).toString("hex"),
    id: bytesIn(span, 2).toString("hex"),
    traceState: bytesIn(span, 3).toString(),
    parentId: bytesIn(span, 4).toString("hex") || null,
    name: bytesIn(span, 5).toString(),
    kind: Number(numberIn(span, 6)),
    startNs: numberIn(span, 7),
    endNs: numberIn(span, 8),
    facts: factsIn(span, 9),
    events: messagesIn(span, 11).length,
    isFailed: status !== undefined && numberIn(status, 3) === 2n,
  };
}

function factsIn(message: Fields, number: number): Record<string, Value> {
  return Object.fromEntries(
    messagesIn(message, number).map((fact) => [
      bytesIn(fact, 1).toString(),
      decodedValue(messagesIn(fact, 2)[0] ?? new Map()),
    ]),
  );
}

function decodedValue(value: Fields): Value {
  if (value.has(1)) return bytesIn(value, 1).toString();
  if (value.has(2)) return numberIn(value, 2) === 1n;
  return Number(numberIn(value, 3));
}
