import { expect, it } from "vitest";
import { workKind } from "./work-kind.ts";

const ofSql = (query: string) => workKind("query", { query });
const ofRecords = (values: { eq: string[]; size: number; sortby?: string }) => workKind("records", values);

it("is the same for requests that differ only in their values", () => {
  expect(ofSql("SELECT 1 FROM t WHERE a IN ('x', 'it''s') AND b > 0xAB")).toBe(
    ofSql("SELECT 25.5 FROM t WHERE a IN ('y') AND b > 0x1"),
  );
  expect(ofRecords({ eq: ["0xa", "0xb"], size: 600 })).toBe(ofRecords({ eq: ["0xc", "0xd"], size: 900 }));
});

it("differs by endpoint, choices, form and magnitude", () => {
  const kinds = [
    ofSql("SELECT 1 FROM t"),
    ofSql("SELECT 1 FROM u"),
    workKind("other", { query: "SELECT 1 FROM t" }),
    ofRecords({ eq: ["0xa"], size: 1 }),
    ofRecords({ eq: ["0xa"], size: 10_000 }),
    ofRecords({ eq: Array.from({ length: 1000 }, () => "0xa"), size: 1 }),
    ofRecords({ eq: ["0xa"], size: 1, sortby: "value" }),
  ];
  expect(new Set(kinds).size).toBe(kinds.length);
});
