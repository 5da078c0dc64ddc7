import fc from "fast-check";
import { encodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { describe, expect, it } from "vitest";
import { fromBytes, type Hex } from "../../lib/hex.ts";
import { decodeAggregate, encodeAggregate } from "./multicall.ts";

const data = fc.uint8Array({ maxLength: 70 }).map(fromBytes);
const to = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(fromBytes);

function output(results: { success: boolean; returnData: Hex }[]): Hex {
  return encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: results });
}

describe("encodeAggregate", () => {
  it("encodes calls as viem does", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ to, data }), { maxLength: 8 }), (calls) => {
        const args = [
          calls.map((call) => ({ target: call.to, allowFailure: true, callData: call.data })),
        ] as const;
        const expected = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args });
        expect(encodeAggregate(calls)).toBe(expected);
      }),
    );
  });
});

describe("decodeAggregate", () => {
  it("decodes the results that viem encodes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ success: fc.boolean(), returnData: data }), { maxLength: 8 }),
        (results) => {
          const expected = results.map((result) => (result.success ? result.returnData : null));
          expect(decodeAggregate(output(results), results.length)).toEqual(expected);
        },
      ),
    );
  });

  it("returns null for output that is truncated, empty, of another length or of another contract", () => {
    const whole = output([
      { success: true, returnData: "0x1234" },
      { success: true, returnData: `0x${"ab".repeat(40)}` },
    ]);
    expect(decodeAggregate(whole, 2)).not.toBeNull();
    expect(decodeAggregate(whole, 3)).toBeNull();
    expect(decodeAggregate("0x", 1)).toBeNull();
    expect(decodeAggregate(`0x${"ff".repeat(200)}`, 1)).toBeNull();
    expect(decodeAggregate(whole.slice(0, -128) as Hex, 2)).toBeNull();
  });
});
