import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { refresh } from "./refresh.ts";

/** A displayed query. The test answers its requests. */
class ShownQuery {
  readonly queries = new QueryClient();
  readonly requests: { answer(value: string): void; fail(): void }[] = [];
  readonly #observer = new QueryObserver<string>(this.queries, {
    queryKey: ["newest"],
    queryFn: () =>
      new Promise((resolve, reject) => {
        this.requests.push({ answer: resolve, fail: () => reject(new Error("no answer")) });
      }),
    retry: false,
    meta: { live: true },
  });
  readonly hide = this.#observer.subscribe(() => {});

  /** Reports a commit. */
  commit(): void {
    refresh(this.queries, { predicate: ({ meta }) => meta?.live === true });
  }

  async settled(): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return this.#observer.getCurrentResult().data;
  }
}

it("refetches a query once more if commits arrive while its request is in flight", async () => {
  const shown = new ShownQuery();
  shown.commit();
  shown.commit();
  expect(shown.requests).toHaveLength(1);
  shown.requests[0]?.answer("older");
  expect(await shown.settled()).toBe("older");
  expect(shown.requests).toHaveLength(2);
  shown.commit();
  shown.requests[1]?.answer("newer");
  expect(await shown.settled()).toBe("newer");
  expect(shown.requests).toHaveLength(3);
  shown.requests[2]?.answer("newest");
  expect(await shown.settled()).toBe("newest");
  expect(shown.requests).toHaveLength(3);
  shown.commit();
  expect(shown.requests).toHaveLength(4);
});

it("refetches a query whose request failed, but not a hidden one", async () => {
  const shown = new ShownQuery();
  shown.commit();
  shown.requests[0]?.fail();
  await shown.settled();
  expect(shown.requests).toHaveLength(2);
  shown.commit();
  shown.hide();
  shown.requests[1]?.answer("older");
  await shown.settled();
  expect(shown.requests).toHaveLength(2);
  const [query] = shown.queries.getQueryCache().getAll();
  expect(query?.state).toMatchObject({ data: "older", isInvalidated: true });
});
