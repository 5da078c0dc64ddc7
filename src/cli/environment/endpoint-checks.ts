import type { Chain } from "../../chains/chain.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { checkEndpoint, type EndpointFacts } from "../../sources/check-endpoint.ts";
import { ageText } from "../terminal/duration.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/**
 * Maximum time by which the newest block's timestamp may be ahead of a correct clock, and its maximum age.
 */
const AHEAD_SECONDS = 15;
const LATE_SECONDS = 120;

/**
 * Checks whether each endpoint is reachable, serves the right chain, has receipts and agrees with this
 * machine's clock.
 */
export async function checkEndpoints(
  urls: readonly string[],
  chain: Chain,
  verify: boolean,
): Promise<Check[]> {
  const facts = await Promise.all(urls.map((url) => checkEndpoint(url, chain)));
  return facts.flatMap((found) => endpointChecks(found, verify, systemClock.now() / 1_000));
}

export function endpointChecks(facts: EndpointFacts, verify: boolean, now: number): Check[] {
  const check = `RPC ${facts.url}`;
  if (facts.trouble !== null) {
    const found = facts.trouble.replace(`${facts.url}: `, "");
    return [fail(check, found, "Check the URL, its key and --chain, or give another endpoint with --rpc.")];
  }
  if (facts.head === null) return [ok(check, "connected; announces new blocks")];
  if (facts.hasReceipts === false && verify) {
    const advice =
      "Blocks cannot be verified without receipts. Set --rpc to an endpoint that supports one of these methods.";
    return [fail(check, "supports neither eth_getBlockReceipts nor eth_getTransactionReceipt", advice)];
  }
  const reached = ok(check, `right chain, newest block ${facts.head.number}`);
  return facts.head.timestamp === null ? [reached] : [reached, checkClock(check, facts.head.timestamp, now)];
}

function checkClock(endpoint: string, blockTime: number, now: number): Check {
  const check = `clock compared with ${endpoint}`;
  const age = Math.round(now - blockTime);
  if (age < -AHEAD_SECONDS) {
    const advice =
      "Synchronize this machine's clock (chrony, systemd-timesyncd): NOW() in SQL and the lag use it.";
    return warn(check, `its newest block is ${ageText(-age)} ahead of this machine's clock`, advice);
  }
  const found = `its newest block is ${ageText(Math.max(0, age))} old`;
  if (age <= LATE_SECONDS) return ok(check, found);
  return warn(
    check,
    found,
    "The endpoint lags, the chain has stopped, or this machine's clock is ahead. Compare with another endpoint and clock.",
  );
}
