import { describe, expect, it } from "vitest";
import { Turnstile } from "./fair-queue.ts";

const client = (name: string, signal = new AbortController().signal) => ({ client: name, signal });
const forever = client("a");

function task() {
  let finish = () => {};
  let started = false;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const run = async () => {
    started = true;
    await done;
  };
  return { run, finish: () => finish(), started: () => started };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("Turnstile", () => {
  it("lets so many run, the next wait in order, and refuses the rest", async () => {
    const turnstile = new Turnstile({ running: 1, waiting: 1, waitMs: 1000 });
    const [first, second, third] = [task(), task(), task()];
    const running = turnstile.run(forever, first.run);
    const waiting = turnstile.run(forever, second.run);
    await expect(turnstile.run(forever, third.run)).rejects.toMatchObject({ code: "busy", retryable: true });
    await turn();
    expect([first.started(), second.started(), third.started()]).toEqual([true, false, false]);
    first.finish();
    await running;
    await turn();
    expect(second.started()).toBe(true);
    second.finish();
    await waiting;
  });

  it("gives the place on when a task fails", async () => {
    const turnstile = new Turnstile({ running: 1, waiting: 1, waitMs: 1000 });
    const failing = turnstile.run(forever, async () => Promise.reject(new RangeError("x")));
    const next = turnstile.run(forever, async () => "ran");
    await expect(failing).rejects.toThrow("x");
    expect(await next).toBe("ran");
    expect(await turnstile.run(forever, async () => "free again")).toBe("free again");
  });

  it("lets those go that waited too long or were given up, without losing places", async () => {
    const turnstile = new Turnstile({ running: 1, waiting: 2, waitMs: 30 });
    const first = task();
    const running = turnstile.run(forever, first.run);
    const impatient = new AbortController();
    const left = turnstile.run(client("b", impatient.signal), async () => "never");
    const late = turnstile.run(forever, async () => "never");
    impatient.abort();
    await expect(left).rejects.toThrow("given up");
    await expect(late).rejects.toMatchObject({ code: "busy" });
    first.finish();
    await running;
    expect(await turnstile.run(forever, async () => "free")).toBe("free");
    await expect(turnstile.run(client("b", impatient.signal), async () => "never")).rejects.toThrow(
      "given up",
    );
  });

  it("lets the client go first that has fewest running", async () => {
    const turnstile = new Turnstile({ running: 2, waiting: 9, waitMs: 1000 });
    const order: string[] = [];
    const began = [task(), task()];
    const running = began.map(({ run }) => turnstile.run(client("many"), run));
    const waiting = ["many", "many", "one", "many", "other", "one"].map((name, i) =>
      turnstile.run(client(name), async () => {
        order.push(`${name} ${i}`);
        await turn();
      }),
    );
    began[0]?.finish();
    await Promise.all(waiting);
    began[1]?.finish();
    await Promise.all(running);
    expect(order).toEqual(["one 2", "other 4", "one 5", "many 0", "many 1", "many 3"]);
    expect([turnstile.running, turnstile.waiting]).toEqual([0, 0]);
  });
});
