import type { Sql } from "../../engine-sql/sql-text.ts";
import type { Engine, QueryLimits, StreamLimits } from "../store.ts";

/**
 * Returns the engine for the holder of a lease. It checks the right to write before each statement that
 * writes, because a process may be suspended between any two statements, and may have a successor by the time
 * it resumes. Reads are not checked.
 *
 * @param lease name of the lease
 * @param requireHeld throws if another process may be writing
 */
export function guardWrites(engine: Engine, lease: string, requireHeld: () => void): Engine {
  return new GuardedEngine(engine.forLeaseholder?.(lease) ?? engine, requireHeld);
}

class GuardedEngine implements Engine {
  readonly #engine: Engine;
  readonly #requireHeld: () => void;

  constructor(engine: Engine, requireHeld: () => void) {
    this.#engine = engine;
    this.#requireHeld = requireHeld;
  }

  get isReplicated(): boolean {
    return this.#engine.isReplicated ?? false;
  }

  query<R>(statement: Sql, limits?: QueryLimits): Promise<R[]> {
    return this.#engine.query(statement, limits);
  }

  stream(statement: Sql, format: string, limits?: StreamLimits): AsyncIterable<Uint8Array> {
    return this.#engine.stream(statement, format, limits);
  }

  async execute(statement: Sql): Promise<void> {
    this.#requireHeld();
    await this.#engine.execute(statement);
  }

  async insert(...rows: Parameters<Engine["insert"]>): Promise<void> {
    this.#requireHeld();
    await this.#engine.insert(...rows);
  }

  async settleWrites(): Promise<void> {
    await this.#engine.settleWrites?.();
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
