import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ParsingTurns } from "./parsing-turns.ts";

it("clients take turns, one body in each turn of the event loop", async () => {
  const turns = new ParsingTurns();
  const served: string[] = [];
  for (const client of ["a", "a", "a", "b", "c", "b"])
    void turns.wait(client).then(() => served.push(client));
  expect([turns.waiting, served]).toEqual([6, []]);
  for (const count of [1, 2, 3, 4, 5, 6]) {
    await nextTurn();
    expect([turns.waiting, served.length]).toEqual([6 - count, count]);
  }
  expect(served.join("")).toBe("abcaba");
  void turns.wait("a").then(() => served.push("a"));
  await nextTurn();
  expect(served.length).toBe(7);
});
