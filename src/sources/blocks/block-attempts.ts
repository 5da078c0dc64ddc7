import { createHash } from "node:crypto";
import { BaseError } from "../../lib/error.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import type { Problem } from "../verify/verify-block.ts";
import type { RawBlock } from "../wire/raw-block.ts";

/**
 * A failed attempt at a block: the endpoint does not have it, or the block that it sent failed verification.
 */
export interface FailedProof {
  number: number;
  /** The endpoint's name. */
  endpoint: string;
  problem: Problem;
  /** Hash of the response, to recognize equal responses. */
  fingerprint: string;
}

type AttemptLimits = Pick<RpcLimits, "maxBlockAttempts" | "sameResponseMs">;

/**
 * Number of attempts that a failure uses up, by kind of problem. `unsupported` uses up the most, because
 * retrying does not help if this version cannot verify the format. A missing block is `inconsistent`: it may
 * have disappeared with its fork, so fewer attempts are made before the head is requested again.
 */
const ATTEMPT_COSTS: Record<Problem["kind"], number> = { invalid: 1, inconsistent: 3, unsupported: 10 };

/**
 * Minimum number of attempts at a block before the fetcher may conclude that no endpoint has it, or that all
 * endpoints agree on the problem.
 */
const MIN_ATTEMPTS = 3;

/** Tracks the failed attempts at one block. */
export class BlockAttempts {
  readonly #limits: AttemptLimits;
  readonly #newest = new Map<string, { proof: FailedProof; since: number }>();
  #attempts = 0;
  #spent = 0;

  constructor(limits: AttemptLimits) {
    this.#limits = limits;
  }

  /** @param now time on the monotonic clock, in ms */
  add(proof: FailedProof, now: number): void {
    this.#attempts++;
    this.#spent += ATTEMPT_COSTS[proof.problem.kind];
    const before = this.#newest.get(proof.endpoint);
    const isSame = before?.proof.fingerprint === proof.fingerprint;
    this.#newest.set(proof.endpoint, { proof, since: isSame ? before.since : now });
  }

  get areMany(): boolean {
    return this.#attempts >= MIN_ATTEMPTS;
  }

  get areUsedUp(): boolean {
    return this.#spent >= this.#limits.maxBlockAttempts;
  }

  /**
   * Returns true if each of these endpoints has kept sending the same invalid block for `sameResponseMs`, and
   * all these blocks have the same problem. Further attempts would then be useless.
   */
  areUnanimous(endpoints: readonly string[], now: number): boolean {
    if (!this.areMany || endpoints.length === 0) return false;
    const newest = endpoints.map((endpoint) => this.#newest.get(endpoint));
    const message = newest[0]?.proof.problem.message;
    return newest.every(
      (one) =>
        one?.proof.problem.kind === "invalid" &&
        one.proof.problem.message === message &&
        now - one.since >= this.#limits.sameResponseMs,
    );
  }
}

export function fingerprintOf({ block, receipts }: RawBlock): string {
  return createHash("sha256")
    .update(JSON.stringify([block, receipts]))
    .digest("hex");
}

const ADVICE =
  "Every endpoint keeps sending the same block: give another endpoint with --rpc, or store blocks unverified with --no-verify";

/**
 * No endpoint sent a valid block. The message names the block, the problem, and the last endpoint. The error
 * is not retryable once the attempts are used up or all endpoints agree. For a missing block, it is always
 * retryable, because the chain may have moved on.
 */
export class UnverifiableBlock extends BaseError {
  constructor(
    { number, endpoint, problem }: FailedProof,
    options: { retryable: boolean; isUnanimous: boolean },
  ) {
    const advice = options.isUnanimous ? `. ${ADVICE}` : "";
    super(
      "verification",
      `block ${number} cannot be verified: ${problem.message} (last endpoint: ${endpoint})${advice}`,
      { retryable: options.retryable },
    );
  }
}
