/**
 * Lets large bodies be parsed one in each turn of the event loop, so that other requests are answered in
 * between, and lets clients take turns, however many bodies each sends.
 */
export class ParsingTurns {
  /** The client whose turn is next first. */
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
