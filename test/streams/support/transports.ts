import { on } from "node:events";
import WebSocket from "ws";
import { createClient, type StreamSubscription } from "../../../sdk/src/index.ts";
import { eventsOf, type ServerEvent } from "./event-reader.ts";
import type { Fields } from "./reconstruction.ts";

/** A client's subscriptions, and what each of its connections needs. */
export interface Opening {
  chain: string;
  subscriptions: readonly Fields[];
  /** The id of the last frame that the client has. */
  after: string | null;
  /** Begins a connection: returns the address of a service, and the signal that cuts the connection. */
  connect(): { url: string; signal: AbortSignal };
  /** Aborts when the client has no further use for the stream. */
  ended: AbortSignal;
}

/** Reads the frames of a stream until its connection ends. */
export type Transport = (opening: Opening) => AsyncGenerator<ServerEvent>;

export const TRANSPORTS = ["sse", "socket", "sdk"] as const;

export const transports: Record<(typeof TRANSPORTS)[number], Transport> = {
  sse: serverSentEvents,
  socket: socketMessages,
  sdk: sdkFrames,
};

/** Resumes with the header Last-Event-ID, as an `EventSource` does. */
async function* serverSentEvents({ chain, subscriptions, after, connect }: Opening) {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (after !== null) headers["last-event-id"] = after;
  const { url, signal } = connect();
  const body = JSON.stringify({ chain, subscriptions });
  yield* eventsOf(`${url}/v1/stream`, { method: "POST", headers, body, signal });
}

/** The code with which a service closes a WebSocket whose request may succeed later. */
const TRY_AGAIN_LATER = 1013;

async function* socketMessages({ chain, subscriptions, after, connect }: Opening) {
  const { url, signal } = connect();
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/stream`);
  const cut = () => socket.terminate();
  signal.addEventListener("abort", cut, { once: true });
  let code = 0;
  socket.once("close", (given) => {
    code = given;
  });
  let refusal: string | null = null;
  socket.once("open", () =>
    socket.send(JSON.stringify({ chain, subscriptions, ...(after === null ? {} : { after }) })),
  );
  try {
    for await (const [text] of on(socket, "message", { close: ["close"] })) {
      const { id = null, event, data } = JSON.parse(String(text));
      if (event === "error") refusal = data.error;
      else yield { id, event, data };
    }
    if (refusal !== null) throw new Error(`${code === TRY_AGAIN_LATER ? 503 : 400}: ${refusal}`);
  } finally {
    signal.removeEventListener("abort", cut);
    socket.on("error", () => undefined);
    cut();
  }
}

const ANY_SERVICE = "http://any-service.test";

/** The SDK connects again by itself, each time to a service that the client chooses. */
async function* sdkFrames({ chain, subscriptions, after, connect, ended }: Opening) {
  const quarry = createClient({
    url: ANY_SERVICE,
    fetch(address, init) {
      const { url, signal } = connect();
      const signals = [signal, ...(init?.signal ? [init.signal] : [])];
      return fetch(String(address).replace(ANY_SERVICE, url), { ...init, signal: AbortSignal.any(signals) });
    },
  });
  const asked = subscriptions as unknown as StreamSubscription[];
  const request = { chain, subscriptions: asked, after: after ?? undefined };
  for await (const frame of quarry.stream(request, { signal: ended })) {
    yield { id: "id" in frame ? frame.id : null, event: frame.event, data: frame as unknown as Fields };
  }
}
