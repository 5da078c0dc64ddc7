import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Erc20Transfer, Pool } from "../../schema/swap.ts";
import { addressResult, addressWord, smallUintOf, uintWord, wordAt } from "../abi/abi.ts";
import type {
  CallResults,
  Evidence,
  FollowUp,
  PoolKey,
  PoolProof,
  Verdict,
} from "../families/swap-family.ts";
import { create2Address } from "./create-address.ts";
import { poolOf } from "./pool-of.ts";

/** A family in which a pool's two tokens and its key determine its address. */
interface KeyRules {
  family: PoolFamily;
  /** The salt of CREATE2. */
  salt(key: PoolKey): Hex;
  /** Selectors of the factory's view that finds a pool, and of the pool's view that returns its key. */
  selectors: { findPool: Hex; key: Hex | null };
  /** Keys from which a pool's address may be derived, most common first; only null if no key is used. */
  keys: readonly (number | null)[];
  /** True if a key is the pool's fee, except in deployments that list others. */
  keyIsFee: boolean;
}

/** A pool whose tokens are known. */
interface Candidate {
  address: Hex;
  token0: Hex;
  token1: Hex;
}

const TOKEN0: Hex = "0x0dfe1681";
const TOKEN1: Hex = "0xd21220a7";
const FACTORY: Hex = "0xc45a0155";
/** Keys are flags or fees, and factories of the V3 family reject fees of 100 % and more. */
const KEY_LIMIT = 1_000_000;

/**
 * Maximum number of tokens considered: a pool moves two. A third one allows for an unrelated transfer; the
 * limit bounds the number of pairs that an attacker can cause.
 */
const TOKEN_LIMIT = 3;

/** Null if the deployment's pools have no single creation code. */
function addressOfKey(rules: KeyRules, deployment: Deployment, key: PoolKey): Hex | null {
  const { initCodeHash, deployer, factory } = deployment;
  return initCodeHash === null ? null : create2Address(deployer ?? factory, rules.salt(key), initCodeHash);
}

/**
 * Proves pools whose address follows by CREATE2 from a listed deployment, two tokens and a fee or another
 * key. Where the creation code is unknown, the factory that the pool names must confirm it.
 */
export function keyedPools(rules: KeyRules): PoolProof {
  const selectors: Hex[] = [TOKEN0, TOKEN1, FACTORY];
  if (rules.selectors.key !== null) selectors.push(rules.selectors.key);
  return {
    addressOf: (key: PoolKey, deployment: Deployment) => addressOfKey(rules, deployment, key),
    calls: (to: Hex): ContractCall[] => selectors.map((data) => ({ to, data })),
    judge: (address: Hex, results: CallResults, chain: Chain): Verdict =>
      judge(rules, address, results, chain),
    fromTransaction(address: Hex, _log: unknown, { transfers }: Evidence, chain: Chain): Pool | null {
      for (const [token0, token1] of pairsOf(movedTokens(address, transfers))) {
        const pool = poolByCreate2(rules, { address, token0, token1 }, rules.keys, chain);
        if (pool !== null) return pool;
      }
      return null;
    },
  };
}

/**
 * Returns the pool at an address that follows from one of the chain's deployments, two tokens and one of the
 * keys.
 */
function poolByCreate2(
  rules: KeyRules,
  candidate: Candidate,
  keys: readonly (number | null)[],
  chain: Chain,
): Pool | null {
  for (const deployment of chain.deployments) {
    if (deployment.family !== rules.family) continue;
    const key = (deployment.keys ?? keys).find(
      (possible) => addressOfKey(rules, deployment, { ...candidate, key: possible }) === candidate.address,
    );
    if (key === undefined) continue;
    return poolOf(deployment, { ...candidate, fee: rules.keyIsFee ? key : null }, chain);
  }
  return null;
}

/**
 * A candidate that returns no tokens, or no key, is undecided. If its address follows from no deployment but
 * it names a listed factory without an init-code hash, that factory must confirm it. Where the hash is known,
 * no call can confirm an address that does not follow.
 */
function judge(rules: KeyRules, address: Hex, results: CallResults, chain: Chain): Verdict {
  const token0 = addressResult(results[0]);
  const token1 = addressResult(results[1]);
  if (token0 === null || token1 === null) return undefined;
  const key = keyOf(rules, results);
  const keys = key === undefined ? rules.keys : [key];
  const pool = poolByCreate2(rules, { address, token0, token1 }, keys, chain);
  if (pool !== null) return pool;
  if (key === undefined) return undefined;
  const factory = addressResult(results[2]);
  const named = chain.deployments.find(
    (listed) => listed.family === rules.family && listed.factory === factory,
  );
  return named === undefined || !needsFactory(named)
    ? null
    : [followUp(rules, named, { address, token0, token1, key }, chain)];
}

/**
 * Returns true if CREATE2 cannot judge a deployment's pools, and the factory's function takes their tokens
 * and key.
 */
function needsFactory({ initCodeHash, keys }: Deployment): boolean {
  return initCodeHash === null && keys === undefined;
}

/** Returns whether the factory confirms the pool, which it does by returning the pool's address. */
function followUp(
  rules: KeyRules,
  named: Deployment,
  candidate: Candidate & PoolKey,
  chain: Chain,
): FollowUp {
  const { address, token0, token1, key } = candidate;
  const keyWord = key === null ? "" : uintWord(key);
  const data: Hex = `${rules.selectors.findPool}${addressWord(token0)}${addressWord(token1)}${keyWord}`;
  const pool = poolOf(named, { address, token0, token1, fee: rules.keyIsFee ? key : null }, chain);
  return {
    address,
    call: { to: named.factory, data },
    poolOf: (result) => (addressResult(result) === address ? pool : null),
  };
}

/**
 * Returns the key that a pool returns; null in a family whose pools have no such function, undefined if the
 * pool returns none.
 */
function keyOf({ selectors }: KeyRules, results: CallResults): number | null | undefined {
  if (selectors.key === null) return null;
  const key = smallUintOf(wordAt(results[3] ?? "0x", 0));
  return key === null || key >= KEY_LIMIT ? undefined : key;
}

/** In ascending order, as factories sort them. */
function movedTokens(address: Hex, transfers: readonly Erc20Transfer[]): Hex[] {
  const tokens = new Set<Hex>();
  for (const { token, from, to } of transfers) {
    // A V2 pair's own shares are not among its tokens.
    if (token === address) continue;
    if (from === address || to === address) tokens.add(token);
    if (tokens.size === TOKEN_LIMIT) break;
  }
  return [...tokens].sort();
}

function* pairsOf(tokens: readonly Hex[]): Iterable<[Hex, Hex]> {
  for (const [i, token0] of tokens.entries()) {
    for (const token1 of tokens.slice(i + 1)) yield [token0, token1];
  }
}
