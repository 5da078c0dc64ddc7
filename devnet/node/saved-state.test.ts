import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SavedState, SavedStateError } from "./saved-state.ts";

const PLAN = { seed: 3, startTime: 1_000, endTime: 2_000 };
let directory: string;
let saved: SavedState;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "quarry-demo-"));
  saved = new SavedState(directory);
});

afterEach(() => rmSync(directory, { recursive: true }));

describe("SavedState", () => {
  it("keeps the first plan, whatever end time is requested later", () => {
    expect(saved.plan(PLAN, {})).toEqual(PLAN);
    expect(saved.plan({ ...PLAN, endTime: 9_999 }, { seed: 3 })).toEqual(PLAN);
  });

  it("refuses another seed and another version, and says what to do", () => {
    saved.plan(PLAN, {});
    expect(() => saved.plan(PLAN, { seed: 4 })).toThrow(
      /made from seed 3, not 4. For a new demo chain .* delete this one as a whole/,
    );
    writeFileSync(join(directory, "plan.json"), JSON.stringify({ version: 0, ...PLAN }));
    expect(() => saved.plan(PLAN, {})).toThrow(/is of version 0/);
  });

  it.each(["", "{", "{}", '{"seed":"1"}'])("refuses the plan %j", (content) => {
    writeFileSync(join(directory, "plan.json"), content);
    expect(() => saved.plan(PLAN, {})).toThrow(SavedStateError);
  });

  it("refuses a state that is not gzip", () => {
    writeFileSync(join(directory, "state.json.gz"), "half a fi");
    expect(() => saved.unpack()).toThrow(/unreadable state.json.gz/);
  });

  it("returns the journal's blocks above the head, without an incomplete line", () => {
    for (const number of [5, 6, 7]) saved.note(number, 100 * number);
    writeFileSync(join(directory, "journal"), "8 80", { flag: "a" });
    expect(saved.journal(5)).toEqual([600, 700]);
  });

  it("continues after an incomplete line of the journal", () => {
    saved.note(5, 500);
    writeFileSync(join(directory, "journal"), "6 6", { flag: "a" });
    expect(saved.journal(4)).toEqual([500]);
    saved.note(6, 666);
    expect(saved.journal(4)).toEqual([500, 666]);
  });

  it("explains a full disk, leaves no draft and keeps the saved state", async () => {
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    const error = new SavedStateError(directory, "cannot be written (journal)", full);
    expect(error).toMatchObject({ code: "disk-full", message: expect.stringContaining("free some space") });
    mkdirSync(join(directory, "genesis.json"));
    expect(() => saved.writeGenesis({})).toThrow(SavedStateError);
    expect(readdirSync(directory)).toEqual(["genesis.json"]);
  });

  it("stores a state for the node and starts a new journal", () => {
    saved.note(5, 500);
    saved.save(gzipSync('{"blocks":[]}'));
    expect(readFileSync(saved.unpack(), "utf8")).toBe('{"blocks":[]}');
    expect(saved.journal(0)).toEqual([]);
  });
});
