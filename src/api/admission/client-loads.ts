/** The tasks of one client in a queue. */
export interface ClientLoad {
  running: number;
  waiting: number;
  /** Number of the client's newest start, counted over all clients; 0 before its first. */
  startedAt: number;
}

/** The clients that have tasks in a queue. */
export class ClientLoads {
  readonly #loads = new Map<string, ClientLoad>();
  #starts = 0;

  get clients(): number {
    return this.#loads.size;
  }

  of(client: string): Readonly<ClientLoad> {
    return this.#loads.get(client) ?? NO_LOAD;
  }

  start(client: string): void {
    this.#starts++;
    const load = this.#changed(client, { running: 1 });
    load.startedAt = this.#starts;
  }

  end(client: string): void {
    this.#changed(client, { running: -1 });
  }

  wait(client: string): void {
    this.#changed(client, { waiting: 1 });
  }

  stopWaiting(client: string): void {
    this.#changed(client, { waiting: -1 });
  }

  #changed(client: string, { running = 0, waiting = 0 }: Partial<ClientLoad>): ClientLoad {
    const load = this.#loads.get(client) ?? { ...NO_LOAD };
    load.running += running;
    load.waiting += waiting;
    if (load.running + load.waiting === 0) this.#loads.delete(client);
    else this.#loads.set(client, load);
    return load;
  }
}

const NO_LOAD: ClientLoad = { running: 0, waiting: 0, startedAt: 0 };
