import type { ChainStatus } from "@quarry/sdk";
import { expect, it } from "vitest";
import { verificationText } from "./verification-text.ts";

type Range = ChainStatus["proofs"][number];

/** Makes ranges of a hundred blocks, oldest first. */
const ranges = (...proofs: Range["proof"][]) =>
  proofs.map((proof, i): Range => {
    return { first_block: 100 * i, last_block: 100 * i + 99, proof, origin: "rpc" };
  });

it("claims only what was verified in every block of a chain", () => {
  const textOf = (...proofs: Range["proof"][]) =>
    verificationText({ first_block: 0, proofs: ranges(...proofs) });
  expect(textOf("block", "block")).toBe("every block verified against its header");
  expect(textOf("block", "receipts")).toBe("all logs verified against block headers");
  for (const proof of ["file", "unrecorded", "none"] as const) expect(textOf("block", proof)).toBeNull();
});

it("claims nothing without a block, or if the proofs of the oldest blocks are left out", () => {
  expect(verificationText({ first_block: null, proofs: [] })).toBeNull();
  expect(verificationText({ first_block: 0, proofs: [] })).toBeNull();
  expect(verificationText({ first_block: 0, proofs: ranges("block", "block").slice(1) })).toBeNull();
});
