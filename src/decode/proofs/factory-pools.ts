import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import { uintAt } from "../abi/abi.ts";
import type { AnnouncedPool, CallResults, Evidence, PoolProof, Verdict } from "../families/swap-family.ts";
import { createAddress } from "./create-address.ts";
import { poolOf } from "./pool-of.ts";

/** A pool's tokens, fee and hook. They do not prove that the pool is genuine. */
export type PoolTerms = Pick<
  AnnouncedPool,
  "token0" | "token1" | "tokens" | "underlying" | "fee" | "hooks" | "hookFlags"
>;

/** A call that returns a pool's tokens. It needs arguments that the first calls return. */
interface TermsCall {
  call: ContractCall;
  /** Returns null if the contract that returned the result is not a pool. */
  read(result: Hex): PoolTerms | null;
}

/** Additional inputs of `FactoryRules.readTerms`. */
interface TermsContext {
  chain: Chain;
  /** The deployments that were passed to `termsCalls`. */
  asked: readonly Deployment[];
}

/** A family in which a pool's address cannot be derived from a key that is visible on the chain. */
interface FactoryRules {
  family: PoolFamily;
  /** Returns the calls that read a pool's tokens, or the arguments of the call that reads them. */
  termsCalls(address: Hex, deployments: readonly Deployment[]): ContractCall[];
  /** Returns null if the results are not from a pool. */
  readTerms(
    results: CallResults,
    address: Hex,
    deployment: Deployment,
    context: TermsContext,
  ): PoolTerms | TermsCall | null;
  /** Returns the tokens that an event of the pool and its transaction reveal, or null. */
  termsOf(address: Hex, log: Log, evidence: Evidence, deployment: Deployment): PoolTerms | null;
  /** Returns the call that asks a factory to confirm a pool. A result other than zero confirms it. */
  confirmation(address: Hex, factory: Hex): ContractCall;
}

/**
 * Proves pools by the nonce with which a listed factory created them by CREATE. This needs no call, because
 * no other account can create a contract at the same address. If a factory's nonces are not listed, the
 * address of a pool proves nothing: the salt of CREATE2, for example, may not be visible on the chain. The
 * factory must then confirm the pool, unless its deployment lists it. The pools' tokens come from the
 * deployment's list, from calls, or from the transactions that use the pools.
 */
export function factoryPools(rules: FactoryRules): PoolProof {
  /**
   * Returns the creator, if the address or a list proves it, and the deployments to call: the creator, or
   * those whose factories must confirm the pool.
   */
  const creatorsOf = (address: Hex, { deployments }: Chain) => {
    const ofFamily = deployments.filter(({ family }) => family === rules.family);
    const creator = creatorOf(address, ofFamily);
    return { creator, asked: creator === null ? confirmers(ofFamily) : [creator] };
  };
  return {
    addressOf: () => null,
    calls(address: Hex, chain: Chain): ContractCall[] {
      const { creator, asked } = creatorsOf(address, chain);
      if (asked.length === 0 || (creator && listedTerms(address, creator))) return [];
      const terms = rules.termsCalls(address, asked);
      if (creator !== null) return terms;
      return [...terms, ...asked.map(({ factory }) => rules.confirmation(address, factory))];
    },
    judge(address: Hex, results: CallResults, chain: Chain): Verdict {
      const { creator: known, asked } = creatorsOf(address, chain);
      const count = known && listedTerms(address, known) ? 0 : rules.termsCalls(address, asked).length;
      const creator = known ?? confirming(asked, results.slice(count));
      if (creator === null) return null;
      const terms =
        listedTerms(address, creator) ??
        rules.readTerms(results.slice(0, count), address, creator, { chain, asked });
      if (terms === null) return undefined;
      const pool = (found: PoolTerms) => poolOf(creator, { address, ...found }, chain);
      if (!("call" in terms)) return pool(terms);
      const { call, read } = terms;
      const complete = (result: Hex | null) => {
        const completed = result && read(result);
        return completed && pool(completed);
      };
      return [{ address, call, poolOf: complete }];
    },
    fromTransaction(address: Hex, log: Log, evidence: Evidence, chain: Chain): Pool | null {
      const { creator } = creatorsOf(address, chain);
      const terms =
        creator && (listedTerms(address, creator) ?? rules.termsOf(address, log, evidence, creator));
      return creator && terms && poolOf(creator, { address, ...terms }, chain);
    },
  };
}

/** Returns the tokens of a pool that a deployment lists, or null. */
export function listedTerms(address: Hex, { listed = [] }: Deployment): PoolTerms | null {
  const found = listed.find((pool) => pool.address === address);
  const [token0, token1] = found?.tokens ?? [];
  if (found === undefined || token0 === undefined || token1 === undefined) return null;
  const { tokens, underlying = [] } = found;
  return { token0, token1, tokens, underlying, fee: null };
}

/**
 * Returns the deployments whose factories must confirm pools. Leaves out deployments with listed nonces,
 * because no call can confirm an address that does not match a nonce. Leaves out deployments with a list of
 * pools, because no factory created these pools.
 */
function confirmers(deployments: readonly Deployment[]): Deployment[] {
  return deployments.filter(({ nonces, listed }) => nonces === undefined && listed === undefined);
}

function confirming(deployments: readonly Deployment[], results: CallResults): Deployment | null {
  return deployments.find((_, i) => isNonZero(results[i])) ?? null;
}

const WORD = /^0x[0-9a-f]{64}/;

function isNonZero(result: Hex | null | undefined): boolean {
  return !!result && WORD.test(result) && uintAt(result, 0) !== 0n;
}

function creatorOf(address: Hex, deployments: readonly Deployment[]): Deployment | null {
  return (
    deployments.find(
      (deployment) =>
        deployment.pools?.includes(address) ||
        listedTerms(address, deployment) !== null ||
        createdContracts(deployment).has(address),
    ) ?? null
  );
}

/** Addresses of the contracts that factories may have created, by deployment. */
const createdBy = new WeakMap<Deployment, ReadonlySet<Hex>>();

/**
 * Returns the addresses of the contracts that a factory may have created: one for each nonce up to the
 * deployment's limit. Computes each address only once. A thousand addresses take about 10 ms.
 */
function createdContracts(deployment: Deployment): ReadonlySet<Hex> {
  const known = createdBy.get(deployment);
  if (known !== undefined) return known;
  const { factory, nonces = 0 } = deployment;
  const created = new Set(Array.from({ length: nonces }, (_, i) => createAddress(factory, i + 1)));
  createdBy.set(deployment, created);
  return created;
}
