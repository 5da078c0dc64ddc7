import { expect, it } from "vitest";
import { wholeOf } from "../../lib/async/whole-of.ts";
import { type Group, groupedJson } from "./grouped-json.ts";

async function* chunksOf(text: string, bytes: number) {
  for (let at = 0; at < text.length; at += bytes) yield Buffer.from(text.slice(at, at + bytes));
}

const textOf = async (groups: Group[], records: number, bytes: number) => {
  const lines = Array.from({ length: records }, (_, i) => `{"record":${i}}\n`).join("");
  const json = groupedJson(chunksOf(lines, bytes), groups, () => new Error("mismatch"));
  return (await wholeOf(json)).toString();
};

it.each([1, 7, 64, 100_000])("makes one array for each group, with chunks of %i bytes", async (bytes) => {
  const groups = [
    { key: "a", records: 3 },
    { key: 'b"', records: 0 },
    { key: "c", records: 1 },
    { key: "d", records: 40 },
    ...Array.from({ length: 30 }, (_, i) => ({ key: `e${i}`, records: 1 })),
    { key: "f", records: 0 },
  ];
  const json = JSON.parse(await textOf(groups, 74, bytes)) as Record<string, { record: number }[]>;
  expect(Object.entries(json).map(([key, records]) => ({ key, records: records.length }))).toEqual(groups);
  expect(
    Object.values(json)
      .flat()
      .map(({ record }) => record),
  ).toEqual(Array.from({ length: 74 }, (_, i) => i));
});

it("has no records for no groups", async () => {
  expect(await textOf([], 0, 10)).toBe("{}");
});

it.each([2, 4])("throws if there are %i records in place of 3", async (records) => {
  await expect(textOf([{ key: "a", records: 3 }], records, 1_000)).rejects.toThrow("mismatch");
});
