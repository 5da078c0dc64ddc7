import type { Node } from "../processes/processes.ts";
import { type JsonRpcRequest, startJsonRpcServer } from "./json-rpc-server.ts";

type Client = "geth" | "erigon" | "besu";

/** A node that refuses calls with the limits and the error messages of other clients. */
export interface LimitedNode extends Node {
  speakAs(client: Client): void;
  /** Returns the number of refused calls since speakAs(). */
  refused(): number;
}

/** Messages of geth for EVM errors, by anvil's name for the error. */
const GETH_MESSAGES: Record<string, string> = {
  OutOfOffset: "return data out of bounds",
  OutOfGas: "out of gas",
  InvalidFEOpcode: "invalid opcode: INVALID",
  StackUnderflow: "stack underflow (0 <=> 1)",
};

/** Erigon's default for --rpc.returndata.limit. */
const RETURNED_BYTES = 100_000;

interface Response {
  result?: unknown;
  error?: { code: number; message: string };
}

/**
 * Passes requests on to anvil. If the client would refuse a call, responds with the client's error instead.
 * Reverts stay as they are.
 */
export async function startLimitedNode(anvil: string): Promise<LimitedNode> {
  let client: Client = "geth";
  let refused = 0;
  const respond = async (request: JsonRpcRequest) => {
    const response = await post(anvil, request);
    const error = request.method === "eth_call" ? refusal(response, client) : null;
    if (error === null) return response;
    refused++;
    return { jsonrpc: "2.0", id: request.id, error };
  };
  return {
    ...(await startJsonRpcServer(respond)),
    refused: () => refused,
    speakAs(spoken) {
      client = spoken;
      refused = 0;
    },
  };
}

async function post(url: string, request: JsonRpcRequest): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(request) });
  return (await response.json()) as Response;
}

function refusal({ result, error }: Response, client: Client): Response["error"] | null {
  const length = typeof result === "string" ? result.length / 2 - 1 : 0;
  if (client === "erigon" && length > RETURNED_BYTES) {
    const limit = `--rpc.returndata.limit ${RETURNED_BYTES}`;
    return { code: -32000, message: `call returned result on length ${length} exceeding ${limit}` };
  }
  if (error === undefined || error.code === 3) return null;
  if (client === "besu") return { code: -32603, message: "Internal error" };
  const [, message = `unknown to this test: ${error.message}`] =
    Object.entries(GETH_MESSAGES).find(([name]) => error.message.includes(name)) ?? [];
  const isLong = client === "erigon" && message === GETH_MESSAGES.OutOfGas;
  return { code: -32000, message: isLong ? "execution aborted (timeout = 5s)" : message };
}
