/** JSON values of a frame by the id of their subscription. */
export type FrameData = ReadonlyMap<string, readonly string[]>;

/** Collects the data of one frame for many subscribers. */
export class Outbox<S> {
  readonly #data = new Map<S, Map<string, string[]>>();

  [Symbol.iterator](): Iterator<[S, FrameData]> {
    return this.#data.entries();
  }

  /** What a subscriber gets; undefined: nothing. */
  of(subscriber: S): FrameData | undefined {
    return this.#data.get(subscriber);
  }

  add(subscriber: S, id: string, json: string): void {
    const data = this.#data.get(subscriber) ?? new Map<string, string[]>();
    this.#data.set(subscriber, data);
    const values = data.get(id);
    if (values === undefined) data.set(id, [json]);
    else values.push(json);
  }

  /** @param subscribers each with the ids of its subscriptions to the values */
  addAll(subscribers: ReadonlyMap<S, ReadonlySet<string>>, values: readonly { json: string }[]): void {
    for (const [subscriber, ids] of subscribers)
      for (const id of ids) for (const { json } of values) this.add(subscriber, id, json);
  }
}

/** A JSON object with an array of values for each id. */
export function dataJson(data: FrameData): string {
  return `{${Array.from(data, ([id, values]) => `${JSON.stringify(id)}:[${values.join(",")}]`).join(",")}}`;
}
