import type { Followers } from "./followers.ts";
import { type FrameText, type SharedValue, SharedValues } from "./shared-values.ts";

/** Values in a frame, keyed by the id of their subscription. */
export type FrameData = ReadonlyMap<string, readonly SharedValues[]>;

/** Collects the data of one frame for many subscribers. */
export class Outbox<S> {
  readonly #data = new Map<S, Map<string, SharedValues[]>>();

  [Symbol.iterator](): Iterator<[S, FrameData]> {
    return this.#data.entries();
  }

  /** Returns the data for a subscriber; undefined if there is none. */
  of(subscriber: S): FrameData | undefined {
    return this.#data.get(subscriber);
  }

  /** @param values one or more */
  add(subscriber: S, id: string, values: SharedValues): void {
    const data = this.#data.get(subscriber) ?? new Map<string, SharedValues[]>();
    this.#data.set(subscriber, data);
    const known = data.get(id);
    if (known === undefined) data.set(id, [values]);
    else known.push(values);
  }

  /** @param values one or more */
  addAll(followers: Followers<S>, values: readonly SharedValue[]): void {
    const shared = new SharedValues(values);
    for (const [subscriber, ids] of followers) for (const id of ids) this.add(subscriber, id, shared);
  }
}

/** Returns a JSON object with an array of values for each subscription id, as parts of a frame's text. */
export function dataText(data: FrameData): FrameText {
  const lists = [...data].flatMap(([id, values], i) => [
    `${i === 0 ? "" : ","}${JSON.stringify(id)}:[`,
    ...values.flatMap((one, at) => (at === 0 ? [one] : [",", one])),
    "]",
  ]);
  return ["{", ...lists, "}"];
}
