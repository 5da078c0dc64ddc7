import { distinctAddresses } from "../connection/address-list.ts";
import type { AsOf } from "../connection/as-of.ts";
import { type Connection, integerIn } from "../connection/connection.ts";
import type { CallOptions } from "../connection/request.ts";
import { END_OF_TIME, MAX_PAGE_SIZE, type Tick, tickPage, walkBack } from "./tick-pages.ts";
import type { TicksQuestion } from "./ticks.ts";

/** All ticks from `from_timestamp` (0) until `until_timestamp` (the newest). */
export type TickStreamQuestion = Omit<TicksQuestion, "size">;

export interface TickStreamOptions extends CallOptions {
  /** How many ticks are asked for at a time; 10,000 unless told otherwise. */
  pageSize?: number | undefined;
}

export interface TickStream {
  /** One token after the other, each newest first; to be read once. */
  ticks: AsyncGenerator<Tick, void>;
  /** Of all ticks, however long it takes to read them. */
  asOf: AsOf;
}

/** Two megabytes of JSON: a few hundred milliseconds. */
const DEFAULT_PAGE_SIZE = 10_000;

export async function tickStream(
  connection: Connection,
  question: TickStreamQuestion,
  { pageSize = DEFAULT_PAGE_SIZE, signal }: TickStreamOptions = {},
): Promise<TickStream> {
  const size = integerIn([1, MAX_PAGE_SIZE], { pageSize });
  const tokens = distinctAddresses("token_address", question.token_address);
  const { from_timestamp = 0, until_timestamp = END_OF_TIME } = question;
  const whole = { ...question, from_timestamp, until_timestamp };
  const page = await tickPage(connection, { ...whole, token_address: tokens.slice(0, 1), size }, { signal });
  const walk = { question: whole, pinned: page.asOf, pageSize: size, signal };
  async function* all(): AsyncGenerator<Tick, void> {
    for (const [i, token] of tokens.entries()) {
      const first = i === 0 ? page.tokens[0]?.data : undefined;
      yield* walkBack(connection, { ...walk, token, first });
    }
  }
  return { ticks: all(), asOf: page.asOf };
}
