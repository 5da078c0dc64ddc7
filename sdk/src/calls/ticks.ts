import type { components } from "../api-types.ts";
import { distinctAddresses } from "../connection/address-list.ts";
import type { PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { askInParts, groupsPerRequest, parts, sharedTime } from "../connection/parts.ts";
import type { CallOptions } from "../connection/request.ts";

type Schemas = components["schemas"];

export const TICKS_PATH = "/v1/price/historical/tick";

/** The service takes so many tokens in one request, and answers with so many ticks. */
export const MAX_TICKS_PER_REQUEST = { groups: 100, rows: 1_000_000 };

const DEFAULT_SIZE = 100;

export type TicksQuestion = Schemas["GetPriceHistoricalTickBody"];
export type TicksAnswer = Schemas["GetPriceHistoricalTickAnswer"];
export type TokenTicks = Exclude<TicksAnswer, unknown[]>;

export interface Ticks extends PartsAsOf {
  /** One for each distinct token, in the order of the question; their ticks newest first. */
  tokens: TokenTicks[];
}

export async function ticks(
  connection: Connection,
  question: TicksQuestion,
  options?: CallOptions,
): Promise<Ticks> {
  const most = groupsPerRequest(question.size ?? DEFAULT_SIZE, MAX_TICKS_PER_REQUEST);
  const lists = parts(distinctAddresses("token_address", question.token_address), most);
  const timed = { question, field: "until_timestamp", parts: lists.length } as const;
  const until = await sharedTime(connection, timed, options);
  const bodies = lists.map((token_address) => ({ ...question, ...until, token_address }));
  const { answers, ...known } = await askInParts<TicksAnswer, TicksQuestion>(connection, {
    path: TICKS_PATH,
    bodies,
    ...options,
  });
  return { tokens: answers.flat(), ...known };
}
