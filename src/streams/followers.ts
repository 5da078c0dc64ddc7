/** Subscribers of the same values, each with the ids of its subscriptions to them. */
export type Followers<S> = ReadonlyMap<S, ReadonlySet<string>>;

/** Followers that can be added and removed. */
export class OpenFollowers<S> extends Map<S, Set<string>> {
  follow(subscriber: S, id: string): void {
    const ids = this.get(subscriber);
    if (ids === undefined) this.set(subscriber, new Set([id]));
    else ids.add(id);
  }
}
