import type { components } from "../../api-types.ts";
import { distinctAddresses } from "../../connection/address-list.ts";
import type { PartsAsOf } from "../../connection/as-of.ts";
import type { Connection } from "../../connection/connection.ts";
import { groupsPerRequest, parts, requestInParts, sharedTime } from "../../connection/parts.ts";
import type { CallOptions } from "../../connection/request.ts";

type Schemas = components["schemas"];

export const TICKS_PATH = "/v1/price/historical/tick";

/** The service's limits for one request: the number of tokens, and the number of ticks in the response. */
export const MAX_TICKS_PER_REQUEST = { groups: 100, rows: 1_000_000 };

const DEFAULT_SIZE = 100;

export type TicksParams = Schemas["GetPriceHistoricalTickBody"];
export type TicksAnswer = Schemas["GetPriceHistoricalTickAnswer"];
export type TokenTicks = Exclude<TicksAnswer, unknown[]>;

export interface Ticks extends PartsAsOf {
  /** One item for each distinct token, in the order of the request. The ticks of a token are newest first. */
  tokens: TokenTicks[];
}

export async function ticks(
  connection: Connection,
  params: TicksParams,
  options?: CallOptions,
): Promise<Ticks> {
  const most = groupsPerRequest(params.size ?? DEFAULT_SIZE, MAX_TICKS_PER_REQUEST);
  const lists = parts(distinctAddresses("token_address", params.token_address), most);
  const timed = { params, field: "until_timestamp", parts: lists.length } as const;
  const until = await sharedTime(connection, timed, options);
  const bodies = lists.map((token_address) => ({ ...params, ...until, token_address }));
  const { answers, ...known } = await requestInParts<TicksAnswer, TicksParams>(connection, {
    path: TICKS_PATH,
    bodies,
    ...options,
  });
  return { tokens: answers.flat(), ...known };
}
