import { BaseError } from "../../lib/error.ts";
import type { Log } from "../../schema/block.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { CHAIN_ID_CALL } from "../endpoints/chain-id.ts";
import { type Endpoint, EndpointError } from "../endpoints/endpoint.ts";
import type { EndpointPool, SourceLogger } from "../endpoints/endpoint-pool.ts";
import { FieldReader, RpcFormatError } from "../rpc/field-reader.ts";
import { parseLog } from "../wire/parse.ts";

/** What has no whole answer is not asked again for so many times as long as the answer took: indexing waits for it. */
const REST_FACTOR = 20;

/**
 * Logs of blocks that are not indexed. No block proves them, so they are of use only where they prove themselves. Many
 * endpoints refuse such long ranges, so that nothing may depend on the answer.
 */
export class PastLogs {
  readonly #pool: EndpointPool;
  readonly #logger: SourceLogger;
  #hasComplained = false;
  #restUntil = 0;

  constructor(pool: EndpointPool, logger: SourceLogger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /**
   * What the endpoints tell, one after the other until one tells as many as there must be; null where all refuse or
   * fail. That none told enough is logged once.
   *
   * @throws an "endpoint" error where they answer nothing else either: then nothing can be said of what they tell
   */
  async find(filter: LogFilter): Promise<Log[] | null> {
    const startedAt = Date.now();
    if (startedAt < this.#restUntil) return null;
    const { signal, limits } = this.#pool;
    const goesOn = (failures: number) =>
      failures < limits.maxCallAttempts && Date.now() - startedAt < limits.requestTimeoutMs;
    const asked = new Set<Endpoint>();
    const failures: string[] = [];
    let told: Log[] | null = null;
    const ask = async (endpoint: Endpoint) => {
      asked.add(endpoint);
      const answer = await this.#ask(endpoint, filter);
      if (answer instanceof EndpointError) return answer;
      told = [...(told ?? []), ...answer];
      return lackOf(answer, filter, endpoint);
    };
    for (let answer = this.#pool.run(ask, { signal, goesOn }); ; ) {
      const failure = await failureOf(answer, signal);
      if (failure === null) return told;
      failures.push(failure);
      const next = this.#pool.inGoodStanding().find((endpoint) => !asked.has(endpoint));
      if (next === undefined) break;
      answer = ask(next);
    }
    if (told === null) await this.#pool.runBriefly((endpoint) => endpoint.send([CHAIN_ID_CALL], signal));
    this.#restUntil = Date.now() + REST_FACTOR * (Date.now() - startedAt);
    this.#complain(failures);
    return told;
  }

  /** A refusal is no failure: the endpoint serves everything else. */
  async #ask(endpoint: Endpoint, { address, topics, from, to }: LogFilter): Promise<Log[] | EndpointError> {
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
    const call = { method: "eth_getLogs", params: [{ address, topics, ...range }] };
    const { outcomes } = await endpoint.send([call], this.#pool.signal);
    const [outcome] = outcomes;
    if (outcome === undefined || "refusal" in outcome)
      return new EndpointError(endpoint.name, `"${outcome?.refusal.message ?? "no answer"}"`);
    if (!Array.isArray(outcome.result)) throw new RpcFormatError(`eth_getLogs: expected a list`);
    return outcome.result.map((log, i) => parseLog(new FieldReader(log, `eth_getLogs, log ${i}`)));
  }

  #complain(failures: string[]): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#logger.warn(
      { failures },
      "no endpoint tells all logs of blocks before the first indexed one: swaps in Uniswap V4 pools that are older are left out",
    );
  }
}

/** Endpoints that keep logs of some time only may tell none of those before, as if there had never been any. */
function lackOf(logs: readonly Log[], { atLeast }: LogFilter, { name }: Endpoint): EndpointError | null {
  if (logs.length >= atLeast) return null;
  return new EndpointError(name, `eth_getLogs: ${logs.length} logs instead of ${atLeast}`);
}

/** Why a question has no whole answer; null where it has. */
async function failureOf(answer: Promise<EndpointError | null>, signal: AbortSignal): Promise<string | null> {
  try {
    return (await answer)?.message ?? null;
  } catch (error) {
    if (signal.aborted || !(error instanceof BaseError)) throw error;
    return error.message;
  }
}
