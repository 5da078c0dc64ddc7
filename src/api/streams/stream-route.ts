import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawData, WebSocket } from "ws";
import { sizeLevel } from "../../lib/queues/turn-times.ts";
import { ClientOverload, ServiceOverload } from "../admission/overload.ts";
import { BODY_FORM, requireForm } from "../bodies/body-form.ts";
import { NOT_STORED } from "../caching/http-caching.ts";
import { admittedClient } from "../endpoint/admitted-client.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type ApiContext, requestContext } from "../endpoint/run-endpoint.ts";
import { HttpError, type Problem, problemOf } from "../errors/errors.ts";
import type { StreamRequest } from "../subscriptions/stream-request.ts";
import { EventSink, SocketSink, TRY_AGAIN_LATER } from "./sink.ts";
import { SocketInput } from "./socket-input.ts";
import type { Streams } from "./streams.ts";

type StreamEndpoint = Extract<Endpoint, { stream: unknown }>;

interface StreamRouteOptions {
  endpoint: StreamEndpoint;
  context: ApiContext;
  streams: Streams;
  /** Returns the parameters of a request, from its URL and its body. */
  given(request: FastifyRequest): Record<string, unknown>;
}

/** Time for a WebSocket to send its subscriptions if they are not in its URL. */
const SUBSCRIBE_MS = 10_000;

/** Headers of server-sent events. Proxies must not buffer the frames. */
const HEADERS = {
  ...NOT_STORED,
  "content-type": "text/event-stream; charset=utf-8",
  "x-accel-buffering": "no",
};

/** Returns the handlers of a stream: server-sent events, or a WebSocket if a GET requests one. */
export function streamHandlers(options: StreamRouteOptions) {
  return {
    /** Sends server-sent events. */
    handler: (request: FastifyRequest, reply: FastifyReply) => sendEvents(options, request, reply),
    /**
     * Before a WebSocket opens, checks the subscriptions in its URL, if there are any, and the limits on
     * streams.
     */
    beforeUpgrade(request: FastifyRequest): void {
      if (!request.ws) return;
      const asked = options.given(request);
      const isComplete = asked.type !== undefined || asked.subscriptions !== undefined;
      const read = isComplete ? readRequest(options, request, asked) : null;
      if (read !== null) options.streams.requireRoom({ ...read, client: admittedClient(request).name });
    },
    wsHandler: (socket: WebSocket, request: FastifyRequest) => sendMessages(options, socket, request),
  };
}

/** Rejects WebSockets at all other paths. */
export function refuseOtherSockets(app: FastifyInstance, path: string): void {
  app.addHook("onRequest", async ({ ws, routeOptions }) => {
    if (ws && routeOptions.url !== path) throw new HttpError(400, `WebSockets are served at ${path} only.`);
  });
}

/**
 * Rejects WebSockets from pages that may not read responses, because browsers do not apply CORS to
 * WebSockets.
 */
export function refuseOtherOrigins(app: FastifyInstance, isAllowed: (origin: string) => boolean): void {
  app.addHook("onRequest", async ({ ws, headers: { origin } }) => {
    if (ws && origin !== undefined && !isAllowed(origin)) {
      throw new HttpError(403, "Pages of this origin may not use the service; see --allowed-origins.");
    }
  });
}

async function sendEvents(
  options: StreamRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const read = readRequest(options, request, options.given(request));
  const client = admittedClient(request).name;
  if (request.method === "HEAD") {
    await reply.headers(HEADERS).send();
    return;
  }
  options.streams.requireRoom({ ...read, client });
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
  raw.flushHeaders();
  await runStream(options, request, new EventSink(raw), read);
}

async function runStream(
  { streams, context }: StreamRouteOptions,
  request: FastifyRequest,
  sink: EventSink | SocketSink,
  read: StreamRequest,
): Promise<void> {
  const { clock } = context;
  const startedMs = clock.monotonic();
  try {
    const mayContinue = () => context.isStillAdmitted(request);
    await streams.run(sink, { ...read, client: admittedClient(request).name, mayContinue });
  } catch (err) {
    request.log.error({ err }, "a stream failed");
    sink.destroy();
  }
  const seconds = Math.round((clock.monotonic() - startedMs) / 1000);
  const { chain, subscriptions } = read;
  const count = subscriptions.events.length + subscriptions.states.length;
  request.log.info(
    { client: request.address, chain, transport: sink.transport, subscriptions: count, seconds },
    "stream ended",
  );
}

async function sendMessages(
  options: StreamRouteOptions,
  socket: WebSocket,
  request: FastifyRequest,
): Promise<void> {
  const { context, streams } = options;
  const sink = new SocketSink(socket, (ms) => context.clock.sleep(ms));
  const refuse = (error: unknown) => refuseSocket(socket, problemOf(error, request, context.limits));
  const client = admittedClient(request).name;
  const { clock, bodyMemory } = context;
  const input = new SocketInput(request.raw.socket, {
    share: bodyMemory.open(client),
    clock,
    onExcess: (error) => {
      socket.pause();
      refuse(error);
      clock.after(REFUSAL_MS, () => socket.terminate());
    },
  });
  try {
    const asked = options.given(request);
    const isComplete = asked.type !== undefined || asked.subscriptions !== undefined;
    const more = isComplete ? {} : await firstObject(socket, options, client);
    input.complete();
    const read = readRequest(options, request, { ...asked, ...more });
    streams.requireRoom({ ...read, client });
    await runStream(options, request, sink, read);
  } catch (error) {
    await delayRejection(error, options, socket);
    refuse(error);
  }
}

/**
 * Waits before a WebSocket is refused because the service or the client is too busy, as other rejections do:
 * clients that open the next one at once would keep the event loop busy.
 */
async function delayRejection(
  error: unknown,
  { context: { clock, limits } }: StreamRouteOptions,
  socket: WebSocket,
): Promise<void> {
  const isOverload = error instanceof ClientOverload || error instanceof ServiceOverload;
  if (limits.rejectionDelayMs === 0 || !isOverload) return;
  const closed = new AbortController();
  socket.once("close", () => closed.abort());
  await clock.sleep(limits.rejectionDelayMs, closed.signal).catch(() => undefined);
}

/**
 * Time after which the connection of a client that has sent too much is cut. Until then, the client can read
 * the error.
 */
const REFUSAL_MS = 1_000;

function refuseSocket(socket: WebSocket, { message, status }: Problem): void {
  socket.send(JSON.stringify({ event: "error", data: { error: message } }));
  socket.close(TEMPORARY.has(status) ? TRY_AGAIN_LATER : POLICY_VIOLATION);
}

/** Status code for closing a WebSocket whose request must not be repeated as it is. */
const POLICY_VIOLATION = 1008;

/** The statuses of errors after which the same request may succeed. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 429, 500, 503]);

/** Returns the JSON object in the first message. It is parsed when it is the client's turn. */
async function firstObject(
  socket: WebSocket,
  options: StreamRouteOptions,
  client: string,
): Promise<Record<string, unknown>> {
  const message = await firstMessage(socket, options);
  await options.context.turns.next(client, `message ${sizeLevel(message.length)}`);
  const text = message.toString();
  requireForm(text, BODY_FORM, "first message");
  const parsed = parsedObject(text);
  if (parsed !== null) return parsed;
  throw new HttpError(400, "The first message must be a JSON object with the field subscriptions.");
}

function firstMessage(socket: WebSocket, { context: { clock } }: StreamRouteOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(SUBSCRIBE_MS, () =>
      reject(new HttpError(400, `No subscription arrived within ${SUBSCRIBE_MS / 1000} s of connecting.`)),
    );
    socket.once("close", cancel);
    socket.once("message", (message) => {
      cancel();
      resolve(bytesOf(message));
    });
  });
}

function bytesOf(message: RawData): Buffer {
  if (Array.isArray(message)) return Buffer.concat(message);
  return message instanceof ArrayBuffer ? Buffer.from(message) : message;
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}

/** Reads the request for a stream. A browser that reconnects sends the id of the last frame in a header. */
function readRequest(
  { endpoint, context }: StreamRouteOptions,
  request: FastifyRequest,
  given: Record<string, unknown>,
): StreamRequest {
  const lastId = request.headers["last-event-id"];
  const resumed = typeof lastId === "string" && lastId !== "" ? { ...given, after: lastId } : given;
  const method = request.method === "POST" || request.ws ? "POST" : "GET";
  return endpoint.stream(resumed, requestContext(context, method));
}
