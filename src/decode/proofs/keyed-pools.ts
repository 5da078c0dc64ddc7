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
  /** Returns the salt for CREATE2. */
  salt(key: PoolKey): Hex;
  /** Selectors of the factory's view that finds a pool, and of the pool's view that returns its key. */
  selectors: { findPool: Hex; key: Hex | null };
  /** Possible keys of a pool's address, most common first. Contains only null if the family uses no key. */
  keys: readonly (number | null)[];
  /** True if a key is the pool's fee, except in deployments that list their own keys. */
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
/** Upper bound for keys, which are flags or fees. Factories of the V3 family reject fees of 100 % or more. */
const KEY_LIMIT = 1_000_000;

/**
 * Maximum number of tokens to consider. A pool moves two, and the third allows for an unrelated transfer. The
 * limit bounds the number of pairs that an attacker can cause.
 */
const TOKEN_LIMIT = 3;

/** Returns the address derived from a key. Returns null if the deployment's init-code hash is not listed. */
function addressOfKey(rules: KeyRules, deployment: Deployment, key: PoolKey): Hex | null {
  const { initCodeHash, deployer, factory } = deployment;
  return initCodeHash === null ? null : create2Address(deployer ?? factory, rules.salt(key), initCodeHash);
}

/**
 * Proves pools whose address is the CREATE2 address derived from a listed deployment, two tokens and a fee or
 * another key. If the creation code is unknown, the factory that the pool names must confirm the pool.
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
    hashes: (address: Hex, { transfers }: Evidence, chain: Chain): number =>
      [...pairsOf(movedTokens(address, transfers))].length * keysOf(rules, chain),
  };
}

/** Returns the number of pool addresses that can be derived for a pair of tokens. */
function keysOf({ family, keys }: KeyRules, { deployments }: Chain): number {
  const derived = deployments.filter((one) => one.family === family && one.initCodeHash !== null);
  return derived.reduce((sum, deployment) => sum + (deployment.keys ?? keys).length, 0);
}

/**
 * Returns the pool at an address that can be derived from one of the chain's deployments, two tokens and one
 * of the keys, or null.
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
 * Judges a candidate. It is undecided if it does not return its tokens, or if it does not return its key and
 * no usual key matches its address. If its address matches no deployment, but the candidate names a listed
 * factory without an init-code hash, this factory must confirm it. If the hash is known, no call can confirm
 * an address that does not match.
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
 * Returns true if CREATE2 addresses cannot prove a deployment's pools, and the factory can look them up by
 * tokens and key.
 */
function needsFactory({ initCodeHash, keys }: Deployment): boolean {
  return initCodeHash === null && keys === undefined;
}

/**
 * Returns the call that looks up the pool in its factory. The factory confirms the pool by returning its
 * address.
 */
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
 * Reads a pool's key from the call results. Returns null in a family whose pools have no function for it, and
 * undefined if the pool does not return a valid key.
 */
function keyOf({ selectors }: KeyRules, results: CallResults): number | null | undefined {
  if (selectors.key === null) return null;
  const key = smallUintOf(wordAt(results[3] ?? "0x", 0));
  return key === null || key >= KEY_LIMIT ? undefined : key;
}

/** Returns the tokens that moved into or out of the pool, in ascending order, as factories sort them. */
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
