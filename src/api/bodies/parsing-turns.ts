/**
 * Allows one large body to be parsed in each turn of the event loop, so that other requests are answered in
 * between. Clients take turns, regardless of how many bodies each one sends.
 */
export class ParsingTurns {
  /** Bodies waiting to be parsed, by client, in the order in which clients are served. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, bodies) => sum + bodies.length, 0);
  }

  /** Resolves when it is the turn of the client's oldest body. */
  wait(client: string): Promise<void> {
    return new Promise((serve) => {
      const bodies = this.#waiting.get(client);
      if (bodies === undefined) this.#waiting.set(client, [serve]);
      else bodies.push(serve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#serveNext();
      this.#schedule();
    });
  }

  #serveNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [client, [serve, ...others]] = next;
    this.#waiting.delete(client);
    if (others.length > 0) this.#waiting.set(client, others);
    serve?.();
  }
}
