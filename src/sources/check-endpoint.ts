import { WebSocket } from "undici";
import type { Chain } from "../chains/chain.ts";
import { systemClock } from "../lib/async/clock.ts";
import { BaseError, messageOf } from "../lib/error.ts";
import { toQuantity } from "../lib/hex.ts";
import { Endpoint } from "./endpoints/endpoint.ts";
import { EndpointWarnings } from "./endpoints/warnings.ts";
import { type Header, requestNewestHeader } from "./heads/header-requests.ts";
import { DEFAULT_RPC_LIMITS } from "./rpc/limits.ts";
import { type EndpointUrl, parseEndpointUrl } from "./rpc/url.ts";

/** The result of a few small requests to an endpoint. */
export interface EndpointFacts {
  /** URL without credentials and keys. */
  url: string;
  /** Why the endpoint cannot be used; null if it can. */
  trouble: string | null;
  /** Newest block; null for a WebSocket URL, or if the endpoint cannot be used. */
  head: Header | null;
  /** Whether the endpoint offers receipts, which verification needs; null if that was not checked. */
  hasReceipts: boolean | null;
}

/** Time limit: long enough for a distant endpoint, short enough for a person who waits at a terminal. */
const TIMEOUT_MS = 10_000;

/**
 * Checks an endpoint. Requests the chain id, the newest block and receipts over HTTP, or only opens a
 * connection if the URL is a WebSocket URL.
 *
 * @throws InvalidEndpointUrl
 */
export async function checkEndpoint(text: string, chain: Chain): Promise<EndpointFacts> {
  const url = parseEndpointUrl(text);
  const facts = { url: url.masked, trouble: null, head: null, hasReceipts: null };
  try {
    if (url.transport === "ws") await openSocket(url);
    else return { ...facts, ...(await checkHttp(url, chain)) };
    return facts;
  } catch (error) {
    return { ...facts, trouble: messageOf(error) };
  }
}

async function checkHttp(
  url: EndpointUrl,
  chain: Chain,
): Promise<Pick<EndpointFacts, "head" | "hasReceipts">> {
  const silent = { info: () => {}, warn: () => {} };
  const warnings = new EndpointWarnings(silent, 0, systemClock);
  const options = { chain, limits: DEFAULT_RPC_LIMITS, clock: systemClock, warnings };
  const endpoint = new Endpoint(url, options);
  try {
    return await endpoint.withTimeout(TIMEOUT_MS, new AbortController().signal, async (signal) => {
      await endpoint.check(signal);
      const head = await requestNewestHeader(endpoint, signal);
      return { head, hasReceipts: await offersReceipts(endpoint, head, signal) };
    });
  } finally {
    await endpoint.close();
  }
}

async function offersReceipts(endpoint: Endpoint, head: Header, signal: AbortSignal): Promise<boolean> {
  const calls = [
    { method: "eth_getBlockReceipts", params: [toQuantity(head.number)] },
    { method: "eth_getTransactionReceipt", params: [`0x${"0".repeat(64)}`] },
  ];
  const { outcomes } = await endpoint.send(calls, signal);
  return outcomes.some((outcome) => !("refusal" in outcome) || outcome.refusal.kind !== "method");
}

function openSocket(url: EndpointUrl): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.socketUrl);
    const end = (error: Error | null) => {
      cancelTimeout();
      socket.close();
      if (error === null) resolve();
      else reject(error);
    };
    const cancelTimeout = systemClock.after(TIMEOUT_MS, () => end(new SocketFailed(url, "no response")));
    socket.addEventListener("open", () => end(null), { once: true });
    socket.addEventListener("error", () => end(new SocketFailed(url, "it cannot be opened")), { once: true });
  });
}

class SocketFailed extends BaseError {
  constructor({ masked }: EndpointUrl, reason: string) {
    super("endpoint", `${masked}: ${reason}`);
  }
}
