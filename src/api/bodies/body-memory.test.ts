import { expect, it } from "vitest";
import { BodyMemory } from "./body-memory.ts";

const memory = () => new BodyMemory({ bodyMemoryBytes: 100, clientBodyBytes: 40 });

it("a client has a limit for all of its bodies, and gets room back", () => {
  const bodies = memory();
  const [first, second] = [bodies.open("a"), bodies.open("a")];
  first.grow(10);
  first.grow(30);
  second.grow(10);
  expect(() => second.grow(11)).toThrow("Too many requests from this client");
  expect(bodies.bytes).toBe(40);
  first.release();
  first.release();
  second.grow(40);
  second.release();
  expect(bodies.bytes).toBe(0);
});

it("clients whose bodies never end leave room for others", () => {
  const bodies = memory();
  bodies.open("a").grow(40);
  const other = bodies.open("b");
  expect(() => other.grow(31)).toThrow("The service is busy");
  other.grow(30);
  const third = bodies.open("c");
  expect(() => third.grow(16)).toThrow("The service is busy");
  third.grow(15);
  expect(bodies.bytes).toBe(85);
});
