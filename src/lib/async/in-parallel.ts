/**
 * Runs the work for each item, for up to `atOnce` items at a time. If the work for one item fails, no further
 * work is started.
 *
 * @throws one of the errors, after all started work has ended
 */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const pending = items[Symbol.iterator]();
  let hasFailed = false;
  const workOn = async () => {
    for (let next = pending.next(); next.done !== true && !hasFailed; next = pending.next()) {
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, workOn));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
