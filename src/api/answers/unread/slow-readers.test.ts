import { expect, it } from "vitest";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { SlowReaders } from "./slow-readers.ts";

/** A space for 100 bytes, and clients that read their answers from it. */
function space() {
  const clock = new ManualClock();
  const readers = new SlowReaders(clock);
  const held = new Map<string, number>();
  const cut: string[] = [];
  const full = new Error("full");

  const take = (bytes: number) => () => {
    const taken = [...held.values()].reduce((sum, one) => sum + one, 0);
    if (taken + bytes > 100) throw full;
  };
  const request = async (client: string, bytes: number) => {
    await readers.withRoom(client, take(bytes), (error) => error === full);
    held.set(client, bytes);
  };
  /** Adds a reader, which reads a number of bytes per second after the system has taken some at once. */
  const read = (client: string, bytesPerSecond: number, taken = 0) => {
    const bytes = held.get(client) ?? 0;
    const sinceMs = clock.monotonic();
    const sentBytes = () => Math.min(bytes, taken + ((clock.monotonic() - sinceMs) / 1000) * bytesPerSecond);
    return readers.add({
      client,
      sentBytes,
      unsentBytes: () => bytes - sentBytes(),
      async cut() {
        cut.push(client);
        held.delete(client);
      },
    });
  };
  return { clock, readers, request, read, cut };
}

it("disconnects the slowest readers of other clients, and no more than needed", async () => {
  const { clock, readers, request, read, cut } = space();
  for (const [client, bytesPerSecond] of [
    ["slow", 0.1],
    ["slower", 0.05],
    ["stopped", 0],
    ["quick", 0.5],
  ] as const) {
    await request(client, 25);
    read(client, bytesPerSecond);
  }
  await clock.advance(10_000);
  await request("new", 20);
  expect(cut).toEqual(["stopped"]);
  await request("another", 50);
  expect(cut).toEqual(["stopped", "slower", "slow"]);
  expect(readers.displaced).toBe(3);
  // The rest of the quick one's answer is read within 40 s.
  await expect(request("last", 50)).rejects.toThrow("full");
  expect(cut).toHaveLength(3);
});

it("does not disconnect a client before its speed is known, nor for an answer of the same client", async () => {
  const { clock, request, read, cut } = space();
  await request("stopped", 60);
  read("stopped", 0, 40);
  await clock.advance(9_999);
  await expect(request("new", 50)).rejects.toThrow("full");
  await clock.advance(1);
  await expect(request("stopped", 50)).rejects.toThrow("full");
  expect(cut).toEqual([]);
  await request("new", 50);
  expect(cut).toEqual(["stopped"]);
});

it("does not disconnect clients whose answers are read, or for another error", async () => {
  const { clock, readers, request, read, cut } = space();
  await request("done", 60);
  const end = read("done", 0);
  end();
  await clock.advance(10_000);
  await expect(request("new", 50)).rejects.toThrow("full");
  read("done", 0);
  await clock.advance(10_000);
  const fail = () => {
    throw new Error("broken");
  };
  await expect(readers.withRoom("new", fail, () => false)).rejects.toThrow("broken");
  expect(cut).toEqual([]);
});
