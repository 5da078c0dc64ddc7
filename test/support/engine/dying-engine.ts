import { BaseError } from "../../../src/lib/error.ts";
import type { Engine } from "../../../src/storage/store.ts";

/** An engine whose process can die before a statement. */
export interface DyingEngine extends Engine {
  /**
   * Makes the process die before the n-th of the next statements that write. Every later write also fails.
   */
  dieBefore(n: number): void;
}

/** Wraps an engine. It works like the original until `dieBefore()` is called. */
export function dyingEngine(engine: Engine): DyingEngine {
  let left = Number.POSITIVE_INFINITY;
  const step = () => {
    if (--left <= 0) throw new BaseError("engine", "the process was killed");
  };
  return {
    dieBefore: (n) => {
      left = n;
    },
    query: (...given) => engine.query(...given),
    stream: (...given) => engine.stream(...given),
    execute: async (statement) => {
      step();
      await engine.execute(statement);
    },
    insert: async (...given) => {
      step();
      await engine.insert(...given);
    },
    close: async () => {},
  };
}
