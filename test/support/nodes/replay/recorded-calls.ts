import type { Hex } from "../../../../src/lib/hex.ts";
import type { RecordedCalls } from "./recorded-chain.ts";

export const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";
/** Selector of aggregate3((address target, bool allowFailure, bytes callData)[]). */
const AGGREGATE3 = "0x82ad56cb";

/** Returns the result of a contract call, or undefined if it reverts. */
export function recordedCall(calls: RecordedCalls, to: Hex, data: Hex): Hex | undefined {
  if (to === MULTICALL3 && data.startsWith(AGGREGATE3)) return aggregate3(calls, data.slice(10));
  return calls[to]?.[data] ?? calls[to]?.[data.slice(0, 10)];
}

/** Returns the calls except calls with the given selectors. */
export function withoutCalls(calls: RecordedCalls, selectors: readonly string[]): RecordedCalls {
  const kept = ([data]: [string, unknown]) => !selectors.includes(data.slice(0, 10));
  return Object.fromEntries(
    Object.entries(calls).map(([to, answers]) => [
      to,
      Object.fromEntries(Object.entries(answers).filter(kept)),
    ]),
  );
}

function aggregate3(calls: RecordedCalls, body: string): Hex {
  const wordAt = (at: number) => body.slice(at * 64, at * 64 + 64);
  const numberAt = (at: number) => Number(BigInt(`0x${wordAt(at)}`));
  const start = numberAt(0) / 32;
  const count = numberAt(start);
  const results = Array.from({ length: count }, (_, i) => {
    const at = start + 1 + numberAt(start + 1 + i) / 32;
    const bytesAt = at + numberAt(at + 2) / 32;
    const data = body.slice((bytesAt + 1) * 64, (bytesAt + 1) * 64 + numberAt(bytesAt) * 2);
    return encodeResult(recordedCall(calls, `0x${wordAt(at).slice(24)}`, `0x${data}`));
  });
  let offset = count * 32;
  const offsets = results.map((result) => {
    const here = word(offset);
    offset += result.length / 2;
    return here;
  });
  return `0x${word(32)}${word(count)}${offsets.join("")}${results.join("")}`;
}

/** Encodes (bool success, bytes returnData). */
function encodeResult(result: Hex | undefined): string {
  const bytes = result?.slice(2) ?? "";
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, "0");
  return word(result === undefined ? 0 : 1) + word(64) + word(bytes.length / 2) + padded;
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}
