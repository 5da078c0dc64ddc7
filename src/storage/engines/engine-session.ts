import { randomUUID } from "node:crypto";
import type { ChdbResult, Session } from "chdb";
import { type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Statement } from "./transport.ts";

/** What statements may set, as it is without: no limits, and the engine's own way to print. */
const DEFAULTS = { max_execution_time: 0, max_memory_usage: 0, output_format_parallel_formatting: 1 };

/** A session of the embedded engine: runs one statement at a time. */
export class EngineSession {
  readonly #session: Session;
  /** What the engine knows the session's next statement by. */
  #label = randomUUID();
  /** What it knows the running or last one by. */
  #running = this.#label;
  /** The settings that the session was last told, which it keeps. */
  #assigned = "";
  /** True when the last statement did not succeed. */
  #tainted = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Runs with the settings of the statement, and the defaults of all others. */
  async run({ sql: body, settings }: Omit<Statement, "id">, format: string): Promise<ChdbResult> {
    if (this.#tainted) await this.#cleanse();
    const set = this.#assign({ ...DEFAULTS, ...settings, log_comment: this.#label });
    this.#running = this.#label;
    this.#tainted = true;
    try {
      const result = await this.#session.queryAsync(`${set}${body}`, { format });
      this.#tainted = false;
      return result;
    } catch (error) {
      // At once: the session may not be needed again for hours.
      await this.#cleanse().catch(() => {});
      throw error;
    }
  }

  /**
   * The statement that ends the running one, when another session runs it. It may come to that when this one has ended by
   * itself, so the next one goes by another label.
   */
  killing(): Sql {
    if (this.#label === this.#running) this.#label = randomUUID();
    return sql`KILL QUERY WHERE Settings['log_comment'] = ${text(this.#running)} ASYNC`;
  }

  close(): void {
    this.#session.close();
  }

  /** Nothing where the session has these settings already: setting them costs as much as the smallest query. */
  #assign(settings: Record<string, number | string>): string {
    const set = `SET ${assignmentsOf(settings)}; `;
    if (set === this.#assigned) return "";
    this.#assigned = set;
    return set;
  }

  /**
   * A failed statement lives on until its session's next one: the engine holds its memory and its locks, and puts
   * what it had answered before it failed in front of the next answer. So one answer is thrown away, and the
   * session is used again only if the one after it is right.
   */
  async #cleanse(): Promise<void> {
    this.#assigned = "";
    await this.#session.queryAsync(`SET ${assignmentsOf({ ...DEFAULTS, log_comment: "" })}; SELECT 1`);
    const result = await this.#session.queryAsync("SELECT 1", { format: "TabSeparated" });
    if (result.text() !== "1\n") throw new SessionTainted();
    this.#tainted = false;
  }
}

function assignmentsOf(settings: Record<string, number | string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value}'`)
    .join(", ");
}

class SessionTainted extends BaseError {
  constructor() {
    super("engine", "The database still answers an earlier query.", { retryable: true });
  }
}
