import { randomUUID } from "node:crypto";
import type { ChdbResult, Session } from "chdb";
import { type Sql, sql, text } from "../../../engine-sql/sql-text.ts";
import { BaseError } from "../../../lib/error.ts";
import type { Statement } from "../transport.ts";

/** Defaults of all settings that statements may set: no limits, and the engine's own formatting. */
const DEFAULTS = {
  max_execution_time: 0,
  max_memory_usage: 0,
  max_block_size: 65_409,
  use_query_condition_cache: 1,
  max_joined_block_size_rows: 65_409,
  min_joined_block_size_rows: 65_409,
  min_joined_block_size_bytes: 524_288,
  group_by_two_level_threshold: 100_000,
  group_by_two_level_threshold_bytes: 50_000_000,
  max_threads: 0,
  output_format_parallel_formatting: 1,
};

/** A setting that a statement may have. Sessions remember settings, so each needs a default. */
export type StatementSetting = keyof typeof DEFAULTS;

/** A session of the embedded engine: runs one statement at a time. */
export class EngineSession {
  readonly #session: Session;
  /** Identifies the session's next statement in the engine. */
  #label = randomUUID();
  /** Identifies the running or last statement. */
  #running = this.#label;
  /** The settings that were last sent to the session, which remembers them. */
  #assigned = "";
  /** True while a statement runs, and after a failed statement until the session is reset. */
  #tainted = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Runs a statement with its own settings, and the defaults for all others. */
  async run({ sql: body, settings }: Omit<Statement, "id">, format: string): Promise<ChdbResult> {
    if (this.#tainted) await this.#reset();
    const set = this.#assign({ ...DEFAULTS, ...settings, log_comment: this.#label });
    this.#running = this.#label;
    this.#tainted = true;
    try {
      const result = await this.#session.queryAsync(`${set}${body}`, { format });
      this.#tainted = false;
      return result;
    } catch (error) {
      // Resets now rather than at the next use of the session, which may be hours later.
      await this.#reset().catch(() => {});
      throw error;
    }
  }

  /**
   * Returns the statement with which another session ends the running one. It may take effect after the
   * running one has ended by itself, so the session's next statement gets another label.
   */
  killStatement(): Sql {
    if (this.#label === this.#running) this.#label = randomUUID();
    return sql`KILL QUERY WHERE Settings['log_comment'] = ${text(this.#running)} ASYNC`;
  }

  close(): void {
    this.#session.close();
  }

  /**
   * Returns the statement that assigns settings. Returns an empty string if the session already has them,
   * because assigning them costs as much as the smallest query.
   */
  #assign(settings: Record<string, number | string>): string {
    const set = `SET ${assignmentsOf(settings)}; `;
    if (set === this.#assigned) return "";
    this.#assigned = set;
    return set;
  }

  /**
   * Runs a statement whose answer is discarded. The engine keeps the memory and the locks of a failed
   * statement until the session's next one, whose answer then begins with rows of the failed one. The session
   * is reused only if the answer to one more statement is right.
   */
  async #reset(): Promise<void> {
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
    const message = "The database is still returning the answer of an earlier query. Try again in a moment.";
    super("unavailable", message, { retryable: true });
  }
}
