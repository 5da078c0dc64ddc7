import { describe, expect, it } from "vitest";
import { ADDRESS } from "../../reads/values/hex-values.ts";
import { integer, TIMESTAMP } from "../../reads/values/number-values.ts";
import { CURRENT_TIME, derived, optional, readParameters, required } from "./parameter.ts";

const A = `0x${"aB".repeat(20)}`;
const context = { method: "POST", now: 1_700_000_000, chains: ["eth", "base"] } as const;

describe("readParameters", () => {
  const parameters = {
    token: required(ADDRESS, ""),
    size: optional(integer({ min: 1, max: 9 }), 5, ""),
    until: optional(TIMESTAMP, CURRENT_TIME, ""),
    from: derived(TIMESTAMP, ""),
  };

  it("fills in defaults, ignores unknown parameters, and treats null as absent", () => {
    expect(readParameters(parameters, { token: A, skip_null: 1, size: null }, context)).toEqual({
      token: A.toLowerCase(),
      size: 5,
      until: 1_700_000_000,
    });
  });

  it("leaves out an absent derived parameter, and reads a given one like any other", () => {
    expect(readParameters(parameters, { token: A, from: null }, context).from).toBeUndefined();
    expect(readParameters(parameters, { token: A, from: "7" }, context).from).toBe(7);
    expect(() => readParameters(parameters, { token: A, from: "" }, context)).toThrow("parameter from");
  });

  it.each([{}, { token: "" }, { token: null }])("reports a missing parameter: %o", (given) => {
    expect(() => readParameters(parameters, given, context)).toThrow("Missing required parameter: token");
  });

  it("rejects a scalar that is given twice, and shortens the preview of a value", () => {
    expect(() => readParameters(parameters, { token: A, size: ["1", "2"] }, context)).toThrow(
      'got ["1","2"], expected an integer',
    );
    const long = "x".repeat(5000);
    expect(() => readParameters(parameters, { token: long }, context)).toThrow(/^.{50,250}$/);
  });

  it("does not read inherited fields as parameters", () => {
    const inherits = { constructor: optional(integer({ min: 1, max: 9 }), 3, "") };
    expect(readParameters(inherits, {}, context)).toEqual({ constructor: 3 });
  });
});
