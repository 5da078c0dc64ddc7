import type { Chain } from "../../chains/chain.ts";
import { checkEndpoint, type EndpointFacts } from "../../sources/check-endpoint.ts";
import { ageText } from "../terminal/duration.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** A block may be dated so far ahead of a right clock, and reach us so late. */
const AHEAD_SECONDS = 15;
const LATE_SECONDS = 120;

/** Each endpoint: reachable, of the right chain, with receipts, and of the same time as this machine. */
export async function checkEndpoints(
  urls: readonly string[],
  chain: Chain,
  verify: boolean,
): Promise<Check[]> {
  const facts = await Promise.all(urls.map((url) => checkEndpoint(url, chain)));
  return facts.flatMap((found) => endpointChecks(found, verify, Date.now() / 1_000));
}

export function endpointChecks(facts: EndpointFacts, verify: boolean, now: number): Check[] {
  const check = `RPC ${facts.url}`;
  if (facts.trouble !== null) {
    const found = facts.trouble.replace(`${facts.url}: `, "");
    return [fail(check, found, "Check the URL, its key and --chain, or give another with --rpc.")];
  }
  if (facts.head === null) return [ok(check, "opens, to announce blocks")];
  if (facts.hasReceipts === false && verify) {
    const advice = "No block can be proven with it: give an endpoint that offers one of the two with --rpc.";
    return [fail(check, "offers neither eth_getBlockReceipts nor eth_getTransactionReceipt", advice)];
  }
  const reached = ok(check, `chain is right, newest block ${facts.head.number}`);
  return facts.head.timestamp === null ? [reached] : [reached, checkClock(check, facts.head.timestamp, now)];
}

function checkClock(endpoint: string, blockTime: number, now: number): Check {
  const check = `clock beside ${endpoint}`;
  const age = Math.round(now - blockTime);
  if (age < -AHEAD_SECONDS) {
    const advice = "Set this machine's clock (chrony, systemd-timesyncd): NOW() in SQL and the lag go by it.";
    return warn(check, `its newest block is ${ageText(-age)} ahead of this machine's clock`, advice);
  }
  const found = `its newest block is ${ageText(Math.max(0, age))} old`;
  if (age <= LATE_SECONDS) return ok(check, found);
  return warn(
    check,
    found,
    "The endpoint lags, the chain stands still, or this machine's clock is ahead: compare them.",
  );
}
