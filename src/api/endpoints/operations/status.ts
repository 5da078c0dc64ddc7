import { z } from "zod";
import { NATIVE_DECIMALS, scopeOf } from "../../../chains/chain.ts";
import { BaseError } from "../../../lib/error.ts";
import { type ServedQuestion, servedReply } from "../../../reads/served/served.ts";
import { readBlockProofs } from "../../../reads/snapshot/block-proofs.ts";
import {
  type Answer,
  type Commit,
  NothingIndexed,
  type ReadableChain,
  readSnapshot,
} from "../../../reads/snapshot/snapshot.ts";
import { readTableRows } from "../../../reads/snapshot/table-rows.ts";
import { BLOCK_ORIGINS, BLOCK_PROOFS } from "../../../schema/block.ts";
import { isKept, KEEP_LEVELS, prunableTables, type StoredScope } from "../../../schema/scope.ts";
import type { TableName } from "../../../schema/tables.ts";
import { type BlockProofs, MAX_PROOF_RANGES } from "../../../serving/counts/block-proofs.ts";
import type { RowCounts } from "../../../serving/counts/row-counts.ts";
import {
  type EndpointState,
  type ExtensionState,
  endpoint,
  type IndexingState,
  type QuestionCall,
} from "../../endpoint/endpoint.ts";
import { BLOCK_AGES, presentAges } from "./block-ages.ts";
import { standstill, standstillReason, unavailableReason } from "./standstill.ts";

const blockNumber = z.int().nullable();

const endpointStatus = z.strictObject({
  url: z.string().describe("without credentials or keys"),
  requests: z.int().describe("HTTP requests sent to it"),
  failures: z.int().describe("failed requests"),
  lies: z.int().describe("blocks that contradicted their own header, and announced heads that did not exist"),
  latency_ms: z
    .int()
    .nullable()
    .describe("moving average of the response time; null before the first response"),
  avoided_until: z.int().nullable().describe("unix seconds; null while the endpoint is healthy"),
});

const rollbackStatus = z.strictObject({
  count: z.int(),
  deepest: z.int().describe("most blocks rolled back at once"),
  last_at: z.int().nullable().describe("unix seconds"),
});

const proofRange = z.strictObject({
  first_block: z.int(),
  last_block: z.int(),
  proof: z
    .enum(BLOCK_PROOFS)
    .describe(
      "block: everything is proven by the block's hash; receipts: only header, receipts and logs are proven; " +
        "file: receipts and logs match the receipts root in the file, which nothing else confirms; unrecorded: " +
        "unknown, because an earlier version of Quarry stored the blocks; none: nothing is proven",
    ),
  origin: z.enum(BLOCK_ORIGINS).describe("RPC endpoints, or the format of the files; unrecorded: unknown"),
});

const extensionStatus = z.strictObject({
  from_block: z.int().describe("first block that the chain will have after the extension"),
  block: blockNumber.describe("newest block of the hidden copy; null before the first"),
  target_block: z.int().describe("the copy replaces the chain once it has reached this block"),
  blocks_per_second: z.number(),
  eta_seconds: z.int().nullable().describe("null while the rate is unknown"),
  message: z.string().nullable().describe("why it is not advancing; null while it is"),
});

const openingStatus = z.strictObject({
  mode: z.string().describe("pools or all"),
  reading: z.int().describe("balances that were read at a block that is not final yet"),
  waiting: z.int().describe("balances that were read once and await further transfers"),
  confirmed: z.int().describe("balances that a second reading confirmed"),
  rejected: z.int().describe("balances that transfers do not explain"),
  unapplied: z.int().describe("results that token_balances does not contain yet"),
  message: z.string().nullable().describe("why no balance can be read; null if nothing is wrong"),
});

const chainStatus = z.strictObject({
  chain: z.string(),
  chain_id: z.int(),
  native_coin: z
    .strictObject({ symbol: z.string(), decimals: z.int() })
    .describe(
      "coin in which fees are paid; its decimals apply to base units such as value_base of transactions",
    ),
  ready: z.boolean(),
  message: z.string().nullable().describe("what the indexer is doing, or what is wrong"),
  head_block: blockNumber.describe("newest block of the chain; null if no indexer runs in this process"),
  finalized_block: blockNumber.describe("newest final block; null if unknown"),
  finality: z.union([
    z.strictObject({ kind: z.literal("tag") }),
    z.strictObject({ kind: z.literal("depth"), blocks: z.int() }),
  ]),
  first_block: blockNumber.describe("responses are complete from this block on and ignore earlier blocks"),
  indexed_block: blockNumber,
  indexed_timestamp: z.int().nullable().describe("unix seconds"),
  indexed_block_hash: z.string().nullable(),
  commit: z
    .int()
    .nullable()
    .describe("number of commits, rollbacks and repairs of the chain, as in X-Commit"),
  lag_blocks: z.int().nullable(),
  lag_seconds: z.int().nullable().describe("age of the newest indexed block"),
  block_age: BLOCK_AGES.describe(
    "age of the newest blocks at the head, by their own timestamps; null if there have been none yet",
  ),
  keep: z.enum(KEEP_LEVELS).describe("what is stored: the value of --keep when the chain was first indexed"),
  raw_first_block: blockNumber.describe(
    "first block whose transactions, logs and transfers are stored, as far as keep includes them; those of earlier blocks were pruned or never indexed. null if keep includes none of them, or if no block is indexed",
  ),
  rows: z.record(z.string(), z.int()).describe("rows of each stored table up to indexed_block"),
  proofs: z
    .array(proofRange)
    .describe(
      `how much of each block was proven when it was stored, by range of blocks: at most the newest ${MAX_PROOF_RANGES} ranges`,
    ),
  endpoints: z
    .array(endpointStatus)
    .nullable()
    .describe("RPC endpoints of the indexer; null if none runs in this process"),
  opening_balances: openingStatus
    .nullable()
    .describe(
      "the search for balances before first_block (--opening-balances); null if it is off or has nothing to find, or if no indexer runs in this process",
    ),
  rollbacks: rollbackStatus
    .nullable()
    .describe("since the indexer started; null if none runs in this process"),
  extension: extensionStatus
    .nullable()
    .describe("the extension to earlier blocks that this process is building; null if there is none"),
});

const statusAnswer = z.strictObject({ chains: z.array(chainStatus) });

export type StatusAnswer = z.infer<typeof statusAnswer>;

export const status = endpoint({
  name: "getStatus",
  methods: ["GET"],
  path: "/v1/status",
  title: "Status",
  summary: "Indexing progress and lag of each chain.",
  parameters: {},
  answer: statusAnswer,
  example: {
    parameters: {},
    answer: {
      chains: [
        {
          chain: "eth",
          chain_id: 1,
          native_coin: { symbol: "ETH", decimals: 18 },
          ready: true,
          message: null,
          head_block: 17686121,
          finalized_block: 17686057,
          finality: { kind: "tag" },
          first_block: 17686110,
          indexed_block: 17686121,
          indexed_timestamp: 1689280259,
          indexed_block_hash: "0x197c1d85de35d84353f8461c556e74fbe37c6cadce2c7a4fca989aecff4b715f",
          commit: 3,
          lag_blocks: 0,
          lag_seconds: 12,
          block_age: {
            seen: {
              ...{ p50: 0.9, p95: 2.1, blocks: 256 },
              histogram: [
                { above: 0.75, at_most: 1, blocks: 150 },
                { above: 2, at_most: 3, blocks: 106 },
              ],
            },
            committed: null,
            sent: null,
          },
          keep: "all",
          raw_first_block: 17686110,
          rows: { blocks: 12, transactions: 2258, logs: 5116 },
          proofs: [{ first_block: 17686110, last_block: 17686121, proof: "block", origin: "rpc" }],
          endpoints: [
            {
              url: "https://rpc.example/***",
              requests: 9024,
              failures: 2,
              lies: 0,
              latency_ms: 43,
              avoided_until: null,
            },
          ],
          opening_balances: {
            mode: "pools",
            reading: 12,
            waiting: 40,
            confirmed: 310,
            rejected: 2,
            unapplied: 0,
            message: null,
          },
          rollbacks: { count: 1, deepest: 1, last_at: 1689280200 },
          extension: {
            from_block: 17000000,
            block: 17343055,
            target_block: 17686121,
            blocks_per_second: 95.2,
            eta_seconds: 3604,
            message: null,
          },
        },
      ],
    },
  },
  cost: "read",
  questions: (_values, call) => {
    const { chains } = call.reader;
    const questions = chains.map(({ chain }) => storedQuestion(chain.name));
    const reply = (answers: readonly Answer<Known>[]) => ({
      body: { chains: chains.map((readable, i) => statusOf(readable, answers[i], call)) },
      asOf: null,
    });
    return servedReply(questions, (answers) => reply(unlessAllFailed(answers)), failureOf);
  },
});

/** What the response contains for a stored chain. */
interface Stored {
  rows: RowCounts;
  proofs: BlockProofs;
}

/** Null before anything is indexed; an error if the chain cannot be read. */
type Known = Stored | BaseError | null;

/**
 * Returns the error as its chain's answer. A chain that cannot be read, e.g. because its server does not
 * respond, must not hide the status of the others.
 */
function failureOf(error: unknown): Answer<Known> {
  if (error instanceof BaseError) return { answer: error, asOf: null };
  throw error;
}

function unlessAllFailed(answers: readonly Answer<Known>[]): readonly Answer<Known>[] {
  const failures = answers.flatMap(({ answer }) => (answer instanceof BaseError ? [answer] : []));
  const [first] = failures;
  if (first !== undefined && failures.length === answers.length) throw first;
  return answers;
}

function storedQuestion(chain: string): ServedQuestion<Known> {
  return {
    chain,
    fromMemory: (memory) => ({ rows: memory.rowCounts(), proofs: memory.blockProofs() }),
    fromEngine: async (reader, limits) => {
      try {
        return await readSnapshot(reader, chain, limits, async (snapshot) => ({
          rows: await readTableRows(snapshot),
          proofs: await readBlockProofs(snapshot),
        }));
      } catch (error) {
        if (error instanceof NothingIndexed) return { answer: null, asOf: null };
        throw error;
      }
    },
  };
}

function statusOf(
  { chain }: ReadableChain,
  indexed: Answer<Known> | undefined,
  call: QuestionCall,
): z.infer<typeof chainStatus> {
  const state = call.indexing(chain.name);
  const newest = indexed?.asOf ?? null;
  const stored = indexed?.answer ?? null;
  const failure = stored instanceof BaseError ? stored : null;
  const { rows = {}, proofs = [] } = stored instanceof BaseError ? {} : (stored ?? {});
  const reason = standstillReason(chain.name, state);
  const progress = reason === null ? (state?.message ?? null) : standstill(reason, newest);
  return {
    chain: chain.name,
    chain_id: chain.chainId,
    native_coin: { symbol: chain.nativeSymbol, decimals: NATIVE_DECIMALS },
    ready: newest !== null && state?.ready !== false && reason === null,
    message: failure === null ? progress : unavailableReason(chain.name, failure),
    finality: chain.finality,
    ...presentCommit(newest),
    lag_blocks: newest && state?.head != null ? Math.max(0, state.head - newest.blockNumber) : null,
    lag_seconds: newest && Math.max(0, call.now - newest.timestamp),
    block_age: {
      seen: presentAges(state?.ages.seen),
      committed: presentAges(state?.ages.committed),
      sent: presentAges(call.sentAges(chain.name)),
    },
    ...presentScope(scopeOf(chain), newest),
    rows: storedRows(scopeOf(chain), rows),
    proofs: proofs.map(({ firstBlock, lastBlock, proof, origin }) => ({
      ...{ first_block: firstBlock, last_block: lastBlock, proof, origin },
    })),
    ...presentIndexing(state),
    // Without an indexer in this process, or before an endpoint reports a final block, the final block of the
    // newest commit is used.
    finalized_block: state?.finalized ?? newest?.finalized ?? null,
  };
}

function presentScope(scope: StoredScope, newest: Commit | null) {
  const isRawKept = prunableTables(scope).length > 0;
  const rawFirst = newest === null || !isRawKept ? null : Math.max(newest.firstBlock, scope.rawFrom);
  return { keep: scope.keep, raw_first_block: rawFirst };
}

function storedRows(scope: StoredScope, rows: RowCounts): RowCounts {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => isKept(scope, table as TableName)));
}

function presentCommit(newest: Commit | null) {
  return {
    first_block: newest?.firstBlock ?? null,
    indexed_block: newest?.blockNumber ?? null,
    indexed_timestamp: newest?.timestamp ?? null,
    indexed_block_hash: newest?.blockHash ?? null,
    commit: newest?.sequence ?? null,
  };
}

const NO_INDEXER = {
  head_block: null,
  endpoints: null,
  opening_balances: null,
  rollbacks: null,
  extension: null,
};

function presentIndexing(state: IndexingState | null) {
  if (state === null) return NO_INDEXER;
  const { head, endpoints, rollbacks, openings, extension } = state;
  const { count, deepest, lastAt } = rollbacks;
  return {
    head_block: head,
    endpoints: endpoints.map(presentEndpoint),
    opening_balances: openings ?? null,
    rollbacks: { count, deepest, last_at: lastAt },
    extension: extension && presentExtension(extension),
  };
}

function presentExtension(extension: ExtensionState): z.infer<typeof extensionStatus> {
  const { from, block, target, blocksPerSecond, etaSeconds, message } = extension;
  return {
    ...{ from_block: from, block, target_block: target },
    blocks_per_second: Math.round(10 * blocksPerSecond) / 10,
    eta_seconds: etaSeconds === null ? null : Math.round(etaSeconds),
    message,
  };
}

function presentEndpoint(endpoint: EndpointState): z.infer<typeof endpointStatus> {
  const { url, requests, failures, lies, latencyMs, avoidedUntil } = endpoint;
  return { url, requests, failures, lies, latency_ms: latencyMs, avoided_until: avoidedUntil };
}
