import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { checksums } from "../../../test/support/engine/table-checksums.ts";
import { fakeChainFacts, grow } from "../../../test/support/simulation/fake-chain.ts";
import { steadySource } from "../../../test/support/simulation/fake-source.ts";
import type { TokenList } from "../../chains/token-list.ts";
import { tokenCalls } from "../../decode/discovery/token-metadata.ts";
import { hexText, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Source } from "../../sources/source.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { copyOf, dropCopy } from "../../storage/extension/chain-copy.ts";
import { endExtension, writeExtension } from "../../storage/extension/extension-log.ts";
import { completeOpenings, draftOpenings } from "../../storage/openings/apply-openings.ts";
import { nextVersion, writeOpenings } from "../../storage/openings/stored-openings.ts";
import type { Engine } from "../../storage/store.ts";
import { holdingOf } from "../../storage/stored-balances.ts";
import { BATCH_LIMITS } from "../blocks/batches.ts";
import { findMissingMetadata } from "../discovery/missing-metadata.ts";
import { Indexer } from "../indexer.ts";
import { isCopyUsable, rebuildChain } from "./rebuild-chain.ts";

const chain = fakeChainFacts("rebuilt", { kind: "depth", blocks: 12 });
const logger = { info() {}, warn() {} };
const FIRST = 20;
const LAST = 70;
const blocks = grow([], LAST);
let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

const METADATA = tokenCalls([{ address: "0x01", block: { number: 1 } }]).map(({ data }) => data);

/** Returns a source that has the blocks, but whose token contracts do not reveal their metadata. */
function silentSource(): Source {
  const source = steadySource(blocks);
  return Object.assign(Object.create(source) as Source, {
    async call(calls: Parameters<Source["call"]>[0]) {
      const results = await source.call(calls);
      return results?.map((result, i) => (METADATA.includes(calls[i]?.data ?? "0x") ? null : result)) ?? null;
    },
  });
}

async function indexed(name: string, source: Source): Promise<void> {
  const store = await openChainStore(engine, name);
  const options = {
    chain: { ...chain, name },
    source,
    store,
    engine,
    logger,
    from: FIRST,
    to: LAST,
    pollMs: 1,
  };
  await new Indexer({ ...options, signal: new AbortController().signal }).run();
}

/** Stores a confirmed and applied balance that a holder had before the first block. */
async function openBalance(name: string, wallet: Hex, token: Hex): Promise<void> {
  const reading = { observed_block: FIRST, observed_base: 10n ** 24n, checked_at: 1_000, is_rechecked: 0 };
  const holding = { wallet_address: wallet, token_address: token, first_block: FIRST };
  const found = { status: "confirmed", reason: null, balance_base: 10n ** 24n, is_applied: 1 };
  await writeOpenings(engine, name, [
    { ...holding, ...found, ...reading, version: await nextVersion(engine, name) },
  ]);
  const store = await openChainStore(engine, name);
  const drafted = await store.committed();
  if (drafted === null) throw new Error("nothing is committed");
  const change = { chain: { ...chain, name }, firstBlock: FIRST, holdings: [holdingOf(wallet, token)] };
  await draftOpenings(engine, change, { upTo: LAST });
  await store.amend(() => completeOpenings(engine, change, { drafted, upTo: LAST }));
}

/** Returns a source that has the blocks, and that must not be called for metadata again. */
function knownSource(): Source {
  const source = steadySource(blocks);
  return Object.assign(Object.create(source) as Source, {
    async call(calls: Parameters<Source["call"]>[0]) {
      expect(calls.filter(({ data }) => METADATA.includes(data))).toEqual([]);
      return source.call(calls);
    },
  });
}

it("gives the tables of an index with the metadata, also when it is interrupted; openings stay", async () => {
  await indexed("expected", steadySource(blocks));
  await indexed(chain.name, silentSource());
  const [holding] = await engine.query<{ wallet: Hex; token: Hex }>(
    sql`SELECT ${hexText(sql`wallet_address`)} AS wallet, ${hexText(sql`token_address`)} AS token
      FROM rebuilt_token_balances WHERE balance_base IS NULL ORDER BY block_number, record_index LIMIT 1`,
  );
  if (holding === undefined) throw new Error("every balance is known");
  for (const name of ["expected", chain.name]) await openBalance(name, holding.wallet, holding.token);
  const before = await checksums(engine, chain.name);
  const expected = await checksums(engine, "expected");
  expect(before).not.toEqual(expected);

  const store = await openChainStore(engine, chain.name);
  const call: Source["call"] = (calls) => steadySource(blocks).call(calls);
  const { found, firstBlock } = await findMissingMetadata({
    ...{
      engine,
      chain: chain.name,
      call,
      tokenList: new Map(),
      block: { number: LAST, hash: blocks[LAST]?.block.hash ?? "0x" },
    },
    signal: new AbortController().signal,
  });
  expect(found.size).toBeGreaterThan(1);
  expect(firstBlock).toBeGreaterThanOrEqual(FIRST);
  const { sequence } = (await store.committed()) ?? { sequence: 0 };
  const extension = { firstBlock: FIRST, state: "building", tables: [] } as const;
  const begin = (since: number) =>
    writeExtension(engine, chain.name, extension, { sequence: since, blockNumber: LAST, hasNode: true });
  await begin(sequence);
  const stop = new AbortController();
  const rebuild = async (signal: AbortSignal, tokenList: TokenList = found) =>
    rebuildChain({
      ...{ chain, engine, store, logger, tokenList, signal },
      source: knownSource(),
      copy: await openChainStore(engine, copyOf(chain.name)),
      batchLimits: { ...BATCH_LIMITS, blocks: 1 },
      onProgress: ({ block }) => void ((block ?? 0) > FIRST + 20 && stop.abort()),
    });
  expect(await rebuild(stop.signal)).toBeNull();
  expect(await checksums(engine, chain.name)).toEqual(before);
  expect((await chainCommits(engine, copyOf(chain.name)).committed())?.blockNumber).toBeLessThan(LAST);
  const isUsable = (tokenList: TokenList, hasNode = true) =>
    isCopyUsable(engine, chain.name, { tokenList, hasNode });
  expect(await isUsable(found)).toBe(true);
  expect(await isUsable(found, false)).toBe(false);
  const [token] = found.values();
  if (token === undefined) throw new Error("nothing was found");
  expect(await isUsable(new Map([...found, [token.address, { ...token, symbol: "OTHER" }]]))).toBe(false);
  expect(await isUsable(new Map())).toBe(false);
  // Makes it look as if the copy was begun before the balance was changed. A repair of blocks has the same
  // effect.
  await begin(sequence - 1);
  expect(await isUsable(found)).toBe(false);
  await begin(sequence);
  expect(await isUsable(found)).toBe(true);

  const rebuilt = await rebuild(new AbortController().signal);
  expect(rebuilt).toMatchObject({ firstBlock: FIRST, blockNumber: LAST });
  expect(await checksums(engine, chain.name)).toEqual(expected);
  await dropCopy(engine, chain.name);
  await endExtension(engine, chain.name);
});
