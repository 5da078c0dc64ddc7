import { type Hex, toQuantity } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError } from "../endpoints/endpoint-error.ts";
import { FieldReader, RpcFormatError } from "../rpc/field-reader.ts";
import { RequestTimeout } from "../rpc/http-client.ts";
import type { RpcRefusal } from "../rpc/json-rpc.ts";
import { parseLog } from "../wire/parse.ts";

/**
 * Requests the logs that match a filter, and returns them by id. Returns a refusal instead of throwing it,
 * because the endpoint can still serve other requests.
 *
 * @throws EndpointError if the request fails; RpcFormatError if the response is not a list of logs
 */
export async function requestLogs(
  endpoint: Pick<Endpoint, "send">,
  { address, topic, ids, from, to }: LogFilter,
  signal: AbortSignal,
): Promise<Map<Hex, Log> | { refusal: RpcRefusal }> {
  const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  const call = { method: "eth_getLogs", params: [{ address, topics: [[topic], ids], ...range }] };
  const { outcomes } = await endpoint.send([call], signal);
  const [outcome] = outcomes;
  if (outcome !== undefined && "refusal" in outcome) return outcome;
  if (!Array.isArray(outcome?.result)) throw new RpcFormatError("eth_getLogs: expected a list");
  const logs = outcome.result.map((log, i) => parseLog(new FieldReader(log, `eth_getLogs, log ${i}`)));
  return new Map(logs.flatMap((log) => (log.topics[1] === undefined ? [] : [[log.topics[1], log] as const])));
}

/** Returns true if the endpoint took too long. A smaller range may be faster. */
export function isTimeout(error: unknown): boolean {
  return error instanceof EndpointError && error.cause instanceof RequestTimeout;
}
