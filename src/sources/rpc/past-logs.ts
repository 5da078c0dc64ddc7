import { BaseError } from "../../lib/error.ts";
import type { Log } from "../../schema/block.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { type Endpoint, EndpointError } from "./endpoint.ts";
import type { EndpointPool, SourceLogger } from "./endpoint-pool.ts";
import { FieldReader, RpcFormatError } from "./rpc-fields.ts";
import { parseLog } from "./rpc-parse.ts";

/**
 * Logs of blocks that are not indexed. No block proves them, so they are of use only where they prove themselves. Many
 * endpoints refuse such long ranges, so that nothing may depend on the answer.
 */
export class PastLogs {
  readonly #pool: EndpointPool;
  readonly #logger: SourceLogger;
  #hasComplained = false;

  constructor(pool: EndpointPool, logger: SourceLogger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /** null where every endpoint refuses or fails; that is logged once. */
  async find(filter: LogFilter): Promise<Log[] | null> {
    const asked = new Set<Endpoint>();
    const ask = (endpoint: Endpoint) => {
      asked.add(endpoint);
      return this.#ask(endpoint, filter);
    };
    const failures: string[] = [];
    for (let answer = this.#pool.runBriefly(ask); ; ) {
      const { logs, failure } = await settled(answer, this.#pool.signal);
      if (logs !== null) return logs;
      failures.push(failure);
      const next = this.#pool.inGoodStanding().find((endpoint) => !asked.has(endpoint));
      if (next === undefined) break;
      answer = ask(next);
    }
    this.#complain(failures);
    return null;
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
      "no endpoint tells logs of blocks before the first indexed one: swaps in Uniswap V4 pools that are older are left out",
    );
  }
}

/** What came of a question: its answer, or why there is none. */
async function settled(
  answer: Promise<Log[] | EndpointError>,
  signal: AbortSignal,
): Promise<{ logs: Log[]; failure: null } | { logs: null; failure: string }> {
  try {
    const logs = await answer;
    return logs instanceof EndpointError ? { logs: null, failure: logs.message } : { logs, failure: null };
  } catch (error) {
    if (signal.aborted || !(error instanceof BaseError)) throw error;
    return { logs: null, failure: error.message };
  }
}
