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

/** What a pool is, apart from its genuineness. */
export type PoolTerms = Pick<AnnouncedPool, "token0" | "token1" | "tokens" | "fee">;

/** A call that returns a pool's tokens, made once the first calls have returned its arguments. */
interface TermsCall {
  call: ContractCall;
  /** Null where the result is no pool's. */
  read(result: Hex): PoolTerms | null;
}

/** A family whose pools' addresses have no key that the chain shows: its factories must confirm its pools. */
interface FactoryRules {
  family: PoolFamily;
  /** The calls that return a pool's tokens, or the arguments of the call that does. */
  termsCalls(address: Hex, deployments: readonly Deployment[]): ContractCall[];
  /** Null where the results are no pool's. */
  readTerms(results: CallResults, address: Hex, deployment: Deployment): PoolTerms | TermsCall | null;
  /** The tokens that an event of the pool and its transaction show; null if they do not. */
  termsOf(address: Hex, log: Log, evidence: Evidence, deployment: Deployment): PoolTerms | null;
  /** The call by which a factory confirms a pool: it returns a word that is not zero. */
  confirmation(address: Hex, factory: Hex): ContractCall;
}

/**
 * Proves pools by the nonce with which a listed factory created them by CREATE, which needs no call: no other
 * account can create a contract at such an address. A factory whose nonces are not listed must confirm its
 * pools, unless its deployment lists them: it creates by CREATE2 with a salt that the chain does not show. The
 * pools' tokens come from calls, or from the transactions that use them.
 */
export function factoryPools(rules: FactoryRules): PoolProof {
  const deploymentsOn = ({ deployments }: Chain) =>
    deployments.filter(({ family }) => family === rules.family);
  return {
    addressOf: () => null,
    calls(address: Hex, chain: Chain): ContractCall[] {
      const deployments = deploymentsOn(chain);
      if (deployments.length === 0) return [];
      const terms = rules.termsCalls(address, deployments);
      if (creatorOf(address, deployments) !== null) return terms;
      return [
        ...terms,
        ...confirmers(deployments).map(({ factory }) => rules.confirmation(address, factory)),
      ];
    },
    judge(address: Hex, results: CallResults, chain: Chain): Verdict {
      const deployments = deploymentsOn(chain);
      if (deployments.length === 0) return null;
      const count = rules.termsCalls(address, deployments).length;
      const creator =
        creatorOf(address, deployments) ?? confirming(confirmers(deployments), results.slice(count));
      if (creator === null) return null;
      const terms = rules.readTerms(results.slice(0, count), address, creator);
      if (terms === null) return undefined;
      const pool = (known: PoolTerms) => poolOf(creator, { address, ...known }, chain);
      if (!("call" in terms)) return pool(terms);
      const { call, read } = terms;
      const complete = (result: Hex | null) => {
        const completed = result && read(result);
        return completed && pool(completed);
      };
      return [{ address, call, poolOf: complete }];
    },
    fromTransaction(address: Hex, log: Log, evidence: Evidence, chain: Chain): Pool | null {
      const creator = creatorOf(address, deploymentsOn(chain));
      const terms = creator && rules.termsOf(address, log, evidence, creator);
      return creator && terms && poolOf(creator, { address, ...terms }, chain);
    },
  };
}

/** Where nonces are listed, no call can make up for an address that does not follow from one. */
function confirmers(deployments: readonly Deployment[]): Deployment[] {
  return deployments.filter(({ nonces }) => nonces === undefined);
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
      (deployment) => createdContracts(deployment).has(address) || deployment.pools?.includes(address),
    ) ?? null
  );
}

/** The contracts that factories created, by the address of the factory. Some thousand for each. */
const createdBy = new Map<Hex, Set<Hex>>();

/** Computed once: a thousand addresses take about 10 ms. */
function createdContracts({ factory, nonces = 0 }: Deployment): ReadonlySet<Hex> {
  const known = createdBy.get(factory) ?? new Set<Hex>();
  createdBy.set(factory, known);
  for (let nonce = known.size + 1; nonce <= nonces; nonce++) known.add(createAddress(factory, nonce));
  return known;
}
