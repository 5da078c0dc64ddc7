import { integerFrom, numeric, setting, yesNo } from "../setting.ts";

/** Settings that control how blocks are proven. */
export const PROOF_SETTINGS = {
  threads: setting({
    group: "Indexing",
    flag: "--threads <number>",
    env: "QUARRY_THREADS",
    schema: numeric(integerFrom(0, 64).optional()),
    doc: "number of threads that parse and prove blocks; 0: the main thread does both; default: number of cores minus one, but at least 2 and at most 4, or 0 with one core",
  }),
  verify: setting({
    group: "Indexing",
    flag: "--no-verify",
    env: "QUARRY_VERIFY",
    schema: yesNo.default(true),
    doc: "do not verify blocks against their headers (for recordings that contain only logs)",
  }),
  verifySenders: setting({
    group: "Indexing",
    flag: "--verify-senders",
    env: "QUARRY_VERIFY_SENDERS",
    schema: yesNo.default(false),
    doc: "also check the sender of each transaction from an endpoint against the signature, which takes more processor time than all other proofs; senders in era files are always recovered from the signatures",
  }),
} as const;
