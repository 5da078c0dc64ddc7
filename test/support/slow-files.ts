import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/**
 * The files that only `npm run test:all` runs, slowest first. Each has its seconds on two busy cores and the
 * reason why it is slow. docs/testing.md lists what `npm test` covers of each area.
 */
const SLOW_FILES: readonly { file: string; seconds: number; why: string }[] = [
  {
    file: "test/explorer/explorer.test.ts",
    seconds: 480,
    why: "each of 130 tests loads pages of a running demo in a real browser",
  },
  {
    file: "src/doctor/check/check-chain.test.ts",
    seconds: 196,
    why: "every kind of damage is made in a chain of its own, found and repaired",
  },
  {
    file: "test/openings/opening-balances.test.ts",
    seconds: 120,
    why: "follows a market on a real EVM with three indexes, through a restart, a reorg and odd tokens",
  },
  {
    file: "test/indexing/market-reorg.test.ts",
    seconds: 161,
    why: "a market on a real EVM, traded and forked again for every kind of reorg, and indexed from scratch to compare",
  },
  {
    file: "test/indexing/resume.test.ts",
    seconds: 159,
    why: "starts and kills the indexer about twenty times, each with its own data directory",
  },
  {
    file: "test/cli/workers.test.ts",
    seconds: 105,
    why: "starts a service of several processes for each of its tests",
  },
  {
    file: "test/cli/prune.test.ts",
    seconds: 70,
    why: "runs the command line thirty times, each time with its own engine",
  },
  {
    file: "test/scope/scope.test.ts",
    seconds: 50,
    why: "indexes the recorded blocks eight times, and derives all of them again for each level",
  },
  {
    file: "test/cli/hooks.test.ts",
    seconds: 60,
    why: "runs the command twenty times, with and without a service",
  },
  {
    file: "test/webhooks/kill.test.ts",
    seconds: 40,
    why: "kills the delivering process in the middle of a delivery, and starts it again each time",
  },
  {
    file: "test/mcp/tools.test.ts",
    seconds: 140,
    why: "indexes a market from a real EVM, and starts `quarry mcp` for clients of the protocol",
  },
  {
    file: "test/metadata/token-lists.test.ts",
    seconds: 130,
    why: "indexes real blocks a dozen times, and runs the commands on files and on a market from a real EVM",
  },
  {
    file: "src/doctor/repair/tail.test.ts",
    seconds: 143,
    why: "loses the newest parts of each table in turn, and indexes again what was rolled back",
  },
  {
    file: "test/chain-data/doctor.test.ts",
    seconds: 131,
    why: "runs the doctor's command on whole blocks a dozen times",
  },
  {
    file: "src/storage/kill.test.ts",
    seconds: 110,
    why: "kills the writing process at random moments and reads every table after each",
  },
  {
    file: "test/sql/generated.test.ts",
    seconds: 104,
    why: "runs thousands of random queries on the engine and in the oracle",
  },
  {
    file: "test/indexing/reorg.test.ts",
    seconds: 88,
    why: "follows a local node block by block through forks, and indexes each result from scratch to compare",
  },
  {
    file: "test/cli/demo.test.ts",
    seconds: 79,
    why: "starts, stops and kills the demo, each time with a market history to make",
  },
  {
    file: "test/indexing/server-engine.test.ts",
    seconds: 77,
    why: "indexes and serves the same blocks twice, over a server and in process",
  },
  {
    file: "test/indexing/simulation.test.ts",
    seconds: 76,
    why: "eight seeds of a forking chain and a crashing process, each compared with a fresh index",
  },
  {
    file: "test/indexing/faults.test.ts",
    seconds: 73,
    why: "repeats runs until each kind of fault has happened, with waits for hanging requests",
  },
  {
    file: "test/explorer/markets/verdicts.test.ts",
    seconds: 45,
    why: "loads a dozen pages in a real browser, over a market with spam and wash trades",
  },
  {
    file: "test/explorer/markets/hooks.test.ts",
    seconds: 45,
    why: "mines and indexes pools of Uniswap V4, and loads a dozen pages in a real browser",
  },
  {
    file: "test/cli/extension.test.ts",
    seconds: 110,
    why: "starts the indexer a dozen times, and kills it while it extends an index of real blocks",
  },
  {
    file: "test/cli/bad-input.test.ts",
    seconds: 41,
    why: "starts an indexer for each kind of invalid input",
  },
  {
    file: "test/charts/tradingview.test.ts",
    seconds: 40,
    why: "mines and indexes a market, and draws its charts in a real browser",
  },
  {
    file: "src/storage/rows/row-binary.test.ts",
    seconds: 28,
    why: "encodes generated rows of every table and reads them back from the engine",
  },
  {
    file: "test/cli/query-command.test.ts",
    seconds: 59,
    why: "starts a process for each of its tests",
  },
  {
    file: "test/indexing/kill.test.ts",
    seconds: 54,
    why: "kills the indexer during backfill, following and rollback",
  },
  {
    file: "test/cli/export.test.ts",
    seconds: 60,
    why: "starts a process for each index, export, import and kill",
  },
  {
    file: "test/cli/shell.test.ts",
    seconds: 53,
    why: "starts a process for most of its tests",
  },
  {
    file: "test/attacks/expensive.test.ts",
    seconds: 52,
    why: "indexes and copies a million logs, and runs sixty statements that need most of a second",
  },
  {
    file: "test/indexing/scarcity.test.ts",
    seconds: 51,
    why: "waits for an engine that is short of memory, and for one that is slow on purpose",
  },
  {
    file: "test/indexing/outage.test.ts",
    seconds: 48,
    why: "waits for real time-outs of an endpoint that goes away and comes back",
  },
  {
    file: "test/chain-data/balances.test.ts",
    seconds: 47,
    why: "compares every wallet's balances with calls of the contracts at 100 past blocks",
  },
  {
    file: "test/cli/terminal.test.ts",
    seconds: 44,
    why: "starts the demo on a pseudo-terminal and waits for its screens",
  },
  {
    file: "test/indexing/full-disk.test.ts",
    seconds: 35,
    why: "starts three services on a small disk and waits until they pause and resume",
  },
  {
    file: "src/storage/clickhouse-store.test.ts",
    seconds: 78,
    why: "rolls back while the engine merges the parts of every table",
  },
  {
    file: "test/chain-data/uniswap-v4.test.ts",
    seconds: 57,
    why: "indexes real blocks a dozen times, each with other logs withheld",
  },
  {
    file: "test/serving/same-answers.test.ts",
    seconds: 55,
    why: "asks hundreds of random questions of memory and of the engine along a chain with reorgs",
  },
  {
    file: "src/reads/prices/ohlc.test.ts",
    seconds: 50,
    why: "reads candles of every interval and price type from the engine, and computes each again",
  },
  {
    file: "src/pricing/price-book.property.test.ts",
    seconds: 32,
    why: "prices random markets again and again, with state dropped at random",
  },
  {
    file: "test/serving/following.test.ts",
    seconds: 27,
    why: "follows another process through commits, repairs and outages",
  },
  {
    file: "test/streams/random-streams.test.ts",
    seconds: 90,
    why: "sixty clients follow a chain that reorganizes, while servers restart and connections break",
  },
  {
    file: "test/indexing/cuts.test.ts",
    seconds: 45,
    why: "cuts the indexer off at each of its writes, and resumes it",
  },
  {
    file: "devnet/contracts/compile.test.ts",
    seconds: 40,
    why: "compiles the contracts of the demo with a compiler in WebAssembly",
  },
  {
    file: "test/sql/functions.test.ts",
    seconds: 35,
    why: "runs every function in the engine with many values",
  },
  {
    file: "src/doctor/repair/repair-chain.test.ts",
    seconds: 37,
    why: "damages a chain in many ways, and repairs it each time",
  },
  {
    file: "src/reads/prices/price-reads.test.ts",
    seconds: 28,
    why: "compares all price reads with a second computation over random markets",
  },
  {
    file: "src/api/endpoints/pools/pool-tvl-history.test.ts",
    seconds: 21,
    why: "computes histories of random pools a second time",
  },
  {
    file: "test/serving/check-following.test.ts",
    seconds: 22,
    why: "finds every kind of difference between memory and the store",
  },
  {
    file: "src/pricing/robust/robust-cases.test.ts",
    seconds: 22,
    why: "prices long histories of trades for each case of the rule",
  },
  {
    file: "src/api/endpoints/records/top-records.test.ts",
    seconds: 23,
    why: "asks for the records of every table by every column",
  },
  {
    file: "test/serving/load-window.test.ts",
    seconds: 21,
    why: "loads random windows of trades, and compares them with the store",
  },
  {
    file: "test/attacks/endless-sql.test.ts",
    seconds: 20,
    why: "runs statements until their time limit",
  },
  {
    file: "test/prices/manipulation.test.ts",
    seconds: 46,
    why: "trades honest markets and manipulations in real pools, and indexes them",
  },
  {
    file: "test/cli/package.test.ts",
    seconds: 24,
    why: "packs the package, and runs the packed files",
  },
  {
    file: "test/metadata/old-state.test.ts",
    seconds: 23,
    why: "indexes a market from a real EVM several times, with and without its old state",
  },
  {
    file: "test/indexing/files/table-files.test.ts",
    seconds: 30,
    why: "indexes real blocks from files of each format and from an endpoint, and kills the indexer",
  },
  {
    file: "test/indexing/files.test.ts",
    seconds: 39,
    why: "indexes real blocks from files of each format, and starts and kills the indexer",
  },
  {
    file: "src/exports/import-chain.test.ts",
    seconds: 40,
    why: "exports and imports random ranges in every format, damages each file, and interrupts imports",
  },
  {
    file: "src/exports/export-chain.test.ts",
    seconds: 35,
    why: "exports a chain again and again, also on a full disk",
  },
  {
    file: "test/indexing/clock-step.test.ts",
    seconds: 15,
    why: "starts a service and waits for blocks of a slow chain",
  },
  {
    file: "test/chain-data/replay-node.test.ts",
    seconds: 2,
    why: "needs the full bundles: compares the replay node with the one that comes with them",
  },
];

export const SLOW_TESTS: readonly string[] = SLOW_FILES.map(({ file }) => file);

/** Runs slow files first. If one of them started last, all workers but one would be idle. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

/** The slowest files of `npm test`. */
const LONG_FILES = [
  "test/interface/conformance.test.ts",
  "devnet/devnet.test.ts",
  "test/explorer/smoke.test.ts",
  "test/chain-data/mainnet.test.ts",
];

function rank(file: string): number {
  const ordered = [...SLOW_TESTS, ...LONG_FILES];
  const place = ordered.findIndex((one) => file.endsWith(`/${one}`));
  return place === -1 ? ordered.length : place;
}
