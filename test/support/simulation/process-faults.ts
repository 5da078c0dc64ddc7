import { AsyncLocalStorage } from "node:async_hooks";
import { BaseError } from "../../../src/lib/error.ts";
import type { Block } from "../../../src/schema/block.ts";
import type { Source } from "../../../src/sources/source.ts";
import type { Engine } from "../../../src/storage/store.ts";
import type { Dice } from "./dice.ts";

/** The probability of each fault, per step of a process. */
export interface FaultProbabilities {
  /** The process crashes. */
  crash: number;
  /** The process is asked to stop. */
  stop: number;
  /** A request to the source fails and may succeed later. */
  sourceFailure: number;
  /** A statement fails, before or after it takes effect; the process continues. */
  engineFailure: number;
}

/** Maximum number of faults, so every run ends. */
const MAX_FAULTS = 12;

/** Injects faults into one process after another. */
export class ProcessFaults {
  /** The faults so far, one line each. */
  readonly history: string[] = [];
  readonly #dice: Dice;
  readonly #probabilities: FaultProbabilities;

  constructor(dice: Dice, probabilities: FaultProbabilities) {
    this.#dice = dice;
    this.#probabilities = probabilities;
  }

  begin(): SimulatedProcess {
    return new SimulatedProcess((step, kind) => this.#fate(step, kind));
  }

  /**
   * Draws the fault of a step, if any. One draw decides everything, so that the order in which parallel steps
   * end has no effect.
   */
  #fate(step: string, kind: "source" | "engine"): Fate | null {
    const { crash, stop, sourceFailure, engineFailure } = this.#probabilities;
    const draw = this.#dice.draw(`fate of ${step}`);
    const when = this.#dice.pick(`when ${step}`, ["before", "after"] as const);
    const failure = kind === "source" ? sourceFailure : engineFailure;
    const bounds = { crash, stop: crash + stop, failure: crash + stop + failure };
    const what = (["crash", "stop", "failure"] as const).find((name) => draw < bounds[name]);
    if (what === undefined || this.history.length >= MAX_FAULTS) return null;
    this.history.push(`${what} ${when} ${step}`);
    return { what, when };
  }
}

interface Fate {
  what: "crash" | "stop" | "failure";
  when: "before" | "after";
}

type FateOf = (step: string, kind: "source" | "engine") => Fate | null;

const outside = new AsyncLocalStorage<true>();

/** Runs work that uses the process's objects but is not one of its steps. */
export function outsideProcess<T>(run: () => Promise<T>): Promise<T> {
  return outside.run(true, run);
}

/** A process from start to end. None of its steps runs after a crash. */
export class SimulatedProcess {
  /** Aborted when the process is asked to stop. */
  readonly stop = new AbortController();
  readonly #fateOf: FateOf;
  readonly #running = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(fateOf: FateOf) {
    this.#fateOf = fateOf;
  }

  /** Resolves when all steps that were running at the crash have ended, so none overlaps the next process. */
  async ended(): Promise<void> {
    this.stop.abort();
    await Promise.allSettled(this.#running);
  }

  engine(engine: Engine): Engine {
    return {
      query: (sql, limits) => this.#step("query", "engine", () => engine.query(sql, limits)),
      stream: (sql, format, limits) => engine.stream(sql, format, limits),
      close: () => engine.close(),
      execute: (sql) => this.#step(sql.slice(0, sql.indexOf(" ")), "engine", () => engine.execute(sql)),
      insert: (table, columns, rows) =>
        this.#step(`insert into ${table.slice(table.indexOf("_") + 1)}`, "engine", () =>
          engine.insert(table, columns, rows),
        ),
    };
  }

  source(source: Source): Source {
    const step = <T>(name: string, run: () => Promise<T>) => this.#step(name, "source", run);
    const next = (iterator: AsyncIterator<Block>) => step("next block", () => iterator.next());
    return {
      head: (known) => step("head", () => source.head(known)),
      nextHead: (pollMs, signal) => source.nextHead(pollMs, signal),
      blockRef: (number) => step("block reference", () => source.blockRef(number)),
      hasBlock: (block) => step("confirmation", () => source.hasBlock(block)),
      requireUndisputed: (block) => step("confirmation", () => source.requireUndisputed(block)),
      finalized: () => step("finalized", () => source.finalized()),
      call: (calls) => step("call", () => source.call(calls)),
      pastLogs: (filter) => step("past logs", () => source.pastLogs(filter)),
      close: () => source.close(),
      async *blocks(range, signal) {
        const iterator = source.blocks(range, signal)[Symbol.asyncIterator]();
        for (let item = await next(iterator); item.done !== true; item = await next(iterator)) {
          yield item.value;
        }
      },
    };
  }

  async #step<T>(name: string, kind: "source" | "engine", run: () => Promise<T>): Promise<T> {
    if (outside.getStore() === true) return run();
    this.#requireAlive();
    const fate = this.#fateOf(name, kind);
    if (fate?.what === "stop") this.stop.abort();
    if (fate?.when === "before") this.#meet(fate);
    const running = run();
    this.#running.add(running);
    const result = await running.finally(() => this.#running.delete(running));
    this.#requireAlive();
    if (fate !== null) this.#meet(fate);
    return result;
  }

  #requireAlive(): void {
    if (this.#isOver) throw new SimulatedCrash();
  }

  #meet({ what }: Fate): void {
    if (what === "failure") throw new TransientFailure();
    if (what !== "crash") return;
    this.#isOver = true;
    throw new SimulatedCrash();
  }
}

export class SimulatedCrash extends Error {}

export class TransientFailure extends BaseError {
  constructor() {
    super("endpoint", "it failed this time", { retryable: true });
  }
}
