import { WebSocket } from "undici";
import type { Chain } from "../chains/chain.ts";
import { BaseError } from "../lib/error.ts";
import { CHAIN_ID_CALL, requireChain } from "./endpoints/chain-id.ts";
import { Endpoint } from "./endpoints/endpoint.ts";
import { type Header, newestHeader } from "./heads/header-requests.ts";
import type { RpcOutcome } from "./rpc/json-rpc.ts";
import { DEFAULT_RPC_LIMITS } from "./rpc/limits.ts";
import { type EndpointUrl, parseEndpointUrl } from "./rpc/url.ts";

/** What was found out about an endpoint by asking it a few small questions. */
export interface EndpointFacts {
  /** Without credentials and keys. */
  url: string;
  /** Why it cannot be used; null when it can. */
  trouble: string | null;
  /** Newest block; null for a WebSocket, and where it cannot be used. */
  head: Header | null;
  /** Whether it gives receipts, without which no block is proven; null where it was not asked. */
  hasReceipts: boolean | null;
}

/** Long enough for a far endpoint, short enough for one who waits. */
const PATIENCE_MS = 10_000;

/**
 * Asks an endpoint for its chain, its newest block and receipts.
 *
 * @throws InvalidEndpointUrl
 */
export async function examineEndpoint(text: string, chain: Chain): Promise<EndpointFacts> {
  const url = parseEndpointUrl(text);
  const facts = { url: url.masked, trouble: null, head: null, hasReceipts: null };
  try {
    if (url.transport === "ws") await openSocket(url);
    else return { ...facts, ...(await examineHttp(url, chain)) };
    return facts;
  } catch (error) {
    return { ...facts, trouble: error instanceof Error ? error.message : String(error) };
  }
}

async function examineHttp(
  url: EndpointUrl,
  chain: Chain,
): Promise<Pick<EndpointFacts, "head" | "hasReceipts">> {
  const endpoint = new Endpoint(url, DEFAULT_RPC_LIMITS);
  try {
    return await endpoint.within(PATIENCE_MS, new AbortController().signal, async (signal) => {
      const { outcomes } = await endpoint.send([CHAIN_ID_CALL], signal);
      requireChain(endpoint.name, outcomes[0], chain);
      const head = await newestHeader(endpoint, signal);
      return { head, hasReceipts: await offersReceipts(endpoint, head, signal) };
    });
  } finally {
    await endpoint.close();
  }
}

async function offersReceipts(endpoint: Endpoint, head: Header, signal: AbortSignal): Promise<boolean> {
  const calls = [
    { method: "eth_getBlockReceipts", params: [`0x${head.number.toString(16)}`] },
    { method: "eth_getTransactionReceipt", params: [`0x${"0".repeat(64)}`] },
  ];
  const { outcomes } = await endpoint.send(calls, signal);
  return outcomes.some((outcome: RpcOutcome) => !("refusal" in outcome) || outcome.refusal.kind !== "method");
}

function openSocket(url: EndpointUrl): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.socketUrl);
    const timer = setTimeout(() => end(new SocketClosed(url, "no answer")), PATIENCE_MS);
    const end = (error: Error | null) => {
      clearTimeout(timer);
      socket.close();
      if (error === null) resolve();
      else reject(error);
    };
    socket.addEventListener("open", () => end(null), { once: true });
    socket.addEventListener("error", () => end(new SocketClosed(url, "it cannot be opened")), { once: true });
  });
}

class SocketClosed extends BaseError {
  constructor({ masked }: EndpointUrl, reason: string) {
    super("endpoint", `${masked}: ${reason}`);
  }
}
