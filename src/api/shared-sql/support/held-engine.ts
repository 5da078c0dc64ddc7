import { onAbort } from "../../../lib/async/abort.ts";
import type { Engine } from "../../../storage/store.ts";

/** A statement that streams its rows. */
interface Run {
  statement: string;
  /** Whether its reader has cancelled it. */
  cancelled: boolean;
  /** Lets the statement continue, or fail. */
  release(error?: Error): void;
}

/** Passes statements on to an engine; holds statements that stream rows while `holds` matches them. */
export class HeldEngine implements Engine {
  readonly runs: Run[] = [];
  holds: RegExp | null = null;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  query: Engine["query"] = (...given) => this.#engine.query(...given);
  execute: Engine["execute"] = (...given) => this.#engine.execute(...given);
  insert: Engine["insert"] = (...given) => this.#engine.insert(...given);
  close = () => Promise.resolve();

  async *stream(...[statement, format, limits]: Parameters<Engine["stream"]>): AsyncGenerator<Uint8Array> {
    const run: Run = { statement, cancelled: false, release: () => {} };
    this.runs.push(run);
    const removeListener = onAbort(limits?.signal, () => {
      run.cancelled = true;
    });
    if (this.holds?.test(statement)) {
      await new Promise<void>((resolve, reject) => {
        run.release = (error) => (error === undefined ? resolve() : reject(error));
        onAbort(limits?.signal, () => reject(limits?.signal?.reason));
      });
    }
    yield* this.#engine.stream(statement, format, limits);
    removeListener();
  }
}
