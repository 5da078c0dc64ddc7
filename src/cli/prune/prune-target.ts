import { type Chain, scopeOf } from "../../chains/chain.ts";
import { firstBlockAt, type RangeEnd } from "../../exports/range.ts";
import { BaseError } from "../../lib/error.ts";
import { prunableTables, type StoredScope } from "../../schema/scope.ts";
import type { Commit, Engine } from "../../storage/store.ts";

/**
 * Returns the scope of the chain after the rows before a block or day are pruned.
 *
 * @throws NothingToPrune if there is no earlier block, if these rows were already pruned, or if the index
 * keeps no raw rows
 * @throws NotFinal if one of the blocks may still be replaced
 */
export async function pruneTarget(
  engine: Engine,
  chain: Chain,
  commit: Commit | null,
  before: RangeEnd,
): Promise<StoredScope> {
  const scope = scopeOf(chain);
  if (commit === null || commit.blockNumber < commit.firstBlock)
    throw new NothingToPrune(`no block of chain "${chain.name}" is stored here; check --chain and --data`);
  if (prunableTables(scope).length === 0)
    throw new NothingToPrune(`--keep ${scope.keep} stores no raw rows of chain "${chain.name}"`);
  const rawFrom = await blockOf(engine, chain.name, before);
  if (rawFrom <= commit.firstBlock)
    throw new NothingToPrune(`the first stored block is ${commit.firstBlock}; set --before to a later one`);
  if (rawFrom < scope.rawFrom)
    throw new NothingToPrune(
      `blocks before ${scope.rawFrom} have already been pruned; set --before to that block to complete an interrupted run, or to a later block`,
    );
  if (commit.finalized === null || rawFrom > commit.finalized + 1) throw new NotFinal(rawFrom, commit);
  return { ...scope, rawFrom };
}

function blockOf(engine: Engine, chain: string, end: RangeEnd): Promise<number> | number {
  return "block" in end ? end.block : firstBlockAt(engine, chain, end.day);
}

class NothingToPrune extends BaseError {
  constructor(reason: string) {
    super("bad-config", `Nothing to prune: ${reason}.`);
  }
}

class NotFinal extends BaseError {
  constructor(rawFrom: number, { finalized }: Commit) {
    const known =
      finalized === null
        ? "no block is known to be final"
        : `the newest final block is ${finalized}. Set --before to ${finalized + 1} or lower`;
    const asked = Number.isFinite(rawFrom)
      ? `Cannot prune before block ${rawFrom}`
      : "Cannot prune before that day";
    super("bad-config", `${asked}: a reorg may still replace some of these blocks; ${known}.`);
  }
}
