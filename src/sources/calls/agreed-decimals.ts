import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { type ContractCall, DECIMALS } from "../../schema/contract-call.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import { callRequest } from "./block-parameter.ts";

/**
 * Checks the decimals of the coins in which all trades are valued. Results of calls are not proven, so
 * without this check, one endpoint could make every amount in USD permanently wrong by a power of ten. The
 * other endpoints make the same calls in their newest state, which suffices because these decimals never
 * change. An endpoint that does not have the contract or does not respond does not count.
 *
 * Decimals of other tokens are not checked: a hostile token could return different decimals to each endpoint.
 *
 * @param coins the coins to check
 * @throws DisputedDecimals unless more endpoints agree with a result than disagree
 */
export async function requireAgreedDecimals(
  calls: readonly ContractCall[],
  results: readonly (Hex | null)[],
  { pool, coins }: { pool: EndpointPool; coins: ReadonlySet<Hex> },
): Promise<void> {
  const given = calls.flatMap(({ to, data }, i) => {
    const decimals = data === DECIMALS && coins.has(to) ? firstWord(results[i]) : null;
    return decimals === null ? [] : [{ to, decimals }];
  });
  if (given.length === 0 || pool.checked().length < 2) return;
  const addresses = given.map(({ to }) => to);
  const found = await pool.requestAll((endpoint, signal) => decimalsOf(endpoint, addresses, signal));
  for (const [i, { to, decimals }] of given.entries()) {
    const known = found.flatMap(({ endpoint, result: all }) => {
      const own = all[i] ?? null;
      return own === null ? [] : [{ endpoint, decimals: own }];
    });
    const other = known.filter((one) => one.decimals !== decimals);
    if (other.length > 0 && known.length <= 2 * other.length) throw new DisputedDecimals(to, decimals, other);
  }
}

async function decimalsOf(
  endpoint: Endpoint,
  addresses: readonly Hex[],
  signal: AbortSignal,
): Promise<(bigint | null)[]> {
  const requests = addresses.map((to) => callRequest(to, DECIMALS, "latest"));
  const { outcomes } = await endpoint.send(requests, signal);
  return outcomes.map((outcome) => ("result" in outcome ? firstWord(outcome.result) : null));
}

const FIRST_WORD = /^0x[0-9a-f]{64}/i;

/** Returns the number in the first word of a result, as the metadata reader does; null if there is none. */
function firstWord(result: unknown): bigint | null {
  const [word] = typeof result === "string" ? (FIRST_WORD.exec(result) ?? []) : [];
  return word === undefined ? null : BigInt(word);
}

/** Retryable, because an endpoint may be fixed or removed. */
class DisputedDecimals extends BaseError {
  constructor(coin: Hex, result: bigint, other: readonly { endpoint: Endpoint; decimals: bigint }[]) {
    const others = other.map(({ endpoint, decimals }) => `${endpoint.name} returns ${decimals}`).join("; ");
    super(
      "endpoint",
      `The endpoints disagree about the decimals of ${coin}, a coin in which trades are valued: the result was ` +
        `${result}, but ${others}. Nothing more is stored until they agree. Find out which of them is ` +
        "wrong, and remove its URL.",
      { retryable: true },
    );
  }
}
