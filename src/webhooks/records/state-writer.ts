import type { StoredState, WebhookRecords } from "./webhook-records.ts";

interface Waiting {
  states: Map<string, StoredState>;
  written: Promise<void>;
}

/**
 * Writes the states of all webhooks. States that arrive during a write are written together in the next one.
 */
export class StateWriter {
  readonly #records: Pick<WebhookRecords, "saveStates">;
  #writing: Promise<void> = Promise.resolve();
  #next: Waiting | null = null;

  constructor(records: Pick<WebhookRecords, "saveStates">) {
    this.#records = records;
  }

  /** Resolves when the state is stored. */
  save(id: string, state: StoredState): Promise<void> {
    this.#next ??= this.#schedule();
    this.#next.states.set(id, state);
    return this.#next.written;
  }

  #schedule(): Waiting {
    const states = new Map<string, StoredState>();
    const written = this.#writing.then(() => {
      this.#next = null;
      return this.#records.saveStates(states);
    });
    this.#writing = written.catch(() => undefined);
    return { states, written };
  }
}
