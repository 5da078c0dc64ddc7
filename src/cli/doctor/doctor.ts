import type { Chain } from "../../chains/chain.ts";
import type { TokenList } from "../../chains/token-list.ts";
import type { Config } from "../../config/load-config.ts";
import { checkChain } from "../../doctor/check/check-chain.ts";
import { rederive } from "../../doctor/check/deep-check.ts";
import { notCheckedIn } from "../../doctor/check/not-checked.ts";
import type { Finding } from "../../doctor/finding.ts";
import type { BlockSpan } from "../../doctor/invariant.ts";
import { type RepairResult, repairChain } from "../../doctor/repair/repair-chain.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { BaseError } from "../../lib/error.ts";
import { createLogger, type Logger } from "../../lib/log.ts";
import { readBlockProofs } from "../../reads/snapshot/block-proofs.ts";
import { snapshotAt } from "../../reads/snapshot/snapshot.ts";
import type { BlockProofs } from "../../serving/counts/block-proofs.ts";
import { defaultThreads, Prover } from "../../sources/prover/prover.ts";
import { openRpcSource, type RpcSource } from "../../sources/rpc-source.ts";
import { chainCommits, isHalfRewritten, readableCommit } from "../../storage/commits/commit-log.ts";
import { NothingStored } from "../../storage/commits/nothing-stored.ts";
import { holdsData } from "../../storage/directory/data-directory.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { configuredChain } from "../configured-chain.ts";
import type { Check } from "../environment/check.ts";
import { checkEnvironment, STORE_CHECKS } from "../environment/environment.ts";
import { requireRange } from "../indexing/block-range.ts";
import { readTokenLists } from "../indexing/token-lists.ts";
import { type OpenStore, openStore } from "../open-store.ts";
import { endpointsIn } from "../rpc-endpoints.ts";
import { shutdownSignal } from "../shutdown.ts";
import { checkedChain } from "./checked-chain.ts";
import { type CheckedChain, isHealthy, printChain, printEnvironment, printJson } from "./doctor-report.ts";
import type { DOCTOR_SETTINGS } from "./doctor-settings.ts";
import { type DoctorView, doctorView } from "./doctor-view.ts";

export interface DoctorFlags {
  repair?: true;
  deep?: true;
  json?: true;
  from?: number;
  to?: number;
}

type DoctorConfig = Config<(typeof DOCTOR_SETTINGS)[number]>;

/**
 * Checks the environment and the stored chain, repairs the chain if requested, and prints a report.
 *
 * @returns true if everything is in order, or if a signal stopped the check
 */
export async function runDoctor(config: DoctorConfig, flags: DoctorFlags): Promise<boolean> {
  const { settings, chains } = config;
  requireRange(flags);
  const chain = configuredChain(chains, settings.chain);
  if ((flags.repair || flags.deep) && endpointsIn(config.settings.rpc) === null) throw new NoEndpoint(flags);
  const tokenList = await readTokenLists(settings.tokens, chain);
  const environment = await checkEnvironment(settings, chain, endpointsIn(config.settings.rpc) ?? []);
  const signal = shutdownSignal();
  if (flags.json !== true) printEnvironment(environment);
  const isOpenable = canOpen(environment);
  const checked =
    isOpenable && hasStore(config)
      ? await unlessAborted(signal, () => checkStore(config, flags, { chain, tokenList, signal }))
      : null;
  if (checked === null && signal.aborted) return stoppedEarly();
  if (isOpenable && checked === null && needsChain(flags))
    throw new NothingStored(chain.name, `in ${storeNameOf(config)}`);
  const report = { chain: chain.name, deep: flags.deep === true, environment, checked };
  if (flags.json === true) printJson(report);
  else printChain(report, storeNameOf(config));
  return isHealthy(report);
}

function stoppedEarly(): true {
  process.stderr.write("quarry: stopped before everything was checked; run the same command again\n");
  return true;
}

/**
 * Returns whether the environment allows a store to be opened. If not, the report names the failed checks.
 */
function canOpen(environment: readonly Check[]): boolean {
  return !environment.some(({ check, verdict }) => verdict === "fail" && STORE_CHECKS.includes(check));
}

function hasStore({ settings }: DoctorConfig): boolean {
  return settings.clickhouse !== undefined || holdsData(settings.data);
}

function needsChain({ repair, deep, from, to }: DoctorFlags): boolean {
  return repair === true || deep === true || from !== undefined || to !== undefined;
}

function storeNameOf({ settings }: DoctorConfig): string {
  return settings.clickhouse === undefined ? settings.data : "the ClickHouse server";
}

async function checkStore(
  config: DoctorConfig,
  flags: DoctorFlags,
  { chain: configured, tokenList, signal }: Pick<DoctorContext, "chain" | "tokenList" | "signal">,
): Promise<CheckedChain | null> {
  const { settings } = config;
  const logger = createLogger(settings.logLevel);
  const view = doctorView();
  const store = await openStore(settings);
  try {
    const { engine, openChain, openCopy } = store;
    const { chain, isStored } = await checkedChain(engine, configured);
    if (isStored) process.stderr.write(`quarry: ${storedDefinitionNote(chain.name)}\n`);
    const context = { config, flags, chain, tokenList, engine, openChain, openCopy, logger, signal, view };
    const prover = new Prover(settings.threads ?? defaultThreads());
    const source = await openSource(context, prover);
    try {
      return await checkAndRepair(context, source);
    } finally {
      await source?.close();
      await prover.close();
    }
  } finally {
    view.stop();
    await store.close();
  }
}

function storedDefinitionNote(chain: string): string {
  return (
    `${chain} was indexed with contracts that this configuration does not have, so it is checked against ` +
    "the stored definition"
  );
}

interface DoctorContext {
  config: DoctorConfig;
  flags: DoctorFlags;
  chain: Chain;
  tokenList: TokenList;
  engine: Engine;
  openChain: OpenStore["openChain"];
  openCopy: OpenStore["openCopy"];
  logger: Logger;
  signal: AbortSignal;
  view: DoctorView;
}

/** Checks the chain, and repairs it if requested. Returns null if no block of the chain is stored. */
async function checkAndRepair(
  context: DoctorContext,
  source: RpcSource | null,
): Promise<CheckedChain | null> {
  const { chain, engine, flags, openChain } = context;
  // Completes a repair that was interrupted: until then, the chain cannot be read.
  if (flags.repair && (await isHalfRewritten(engine, chain.name))) await openChain(chain);
  const commit = await readableCommit(chainCommits(engine, chain.name));
  if (commit === null) return null;
  const span = checkedSpan(commit, flags);
  const found = await check(context, commit, span, source);
  const needsRepair = flags.repair && found.length > 0 && source !== null;
  const result = needsRepair ? await repair(context, found, source) : null;
  return {
    ...{ span, found, notChecked: notCheckedIn(chain, commit, span), repair: result },
    unproven: await unprovenRanges(context),
  };
}

/** Returns the ranges of blocks that were stored without a complete proof. */
async function unprovenRanges({ chain, engine }: DoctorContext): Promise<BlockProofs> {
  const store = chainCommits(engine, chain.name);
  const commit = await store.committed();
  if (commit === null) return [];
  const proofs = await readBlockProofs(snapshotAt({ engine, chains: [] }, { chain, store }, commit, {}));
  return proofs.filter(({ proof }) => proof !== "block");
}

async function check(
  context: DoctorContext,
  commit: Commit,
  span: BlockSpan,
  source: RpcSource | null,
): Promise<Finding[]> {
  const { chain, tokenList, engine, flags, signal, view } = context;
  if (span.first > span.last) return [];
  const wholeStore = flags.from === undefined && flags.to === undefined;
  const options = { engine, chain, commit, spans: [span], wholeStore, signal };
  const found = await checkChain({ ...options, onProgress: view.checking });
  if (!flags.deep || source === null) return found;
  return [...found, ...(await rederive({ ...options, span, source, tokenList, onProgress: view.comparing }))];
}

async function repair(
  context: DoctorContext,
  found: readonly Finding[],
  source: RpcSource,
): Promise<RepairResult> {
  const { chain, tokenList, engine, openChain, openCopy, signal, view, flags } = context;
  const reopen = () => openChain(chain);
  const store = await reopen();
  return repairChain(found, {
    engine,
    chain,
    store,
    reopen,
    openCopy,
    source,
    deep: flags.deep === true,
    tokenList,
    signal,
    onProgress: view.repairing,
    onCheckProgress: view.checking,
  });
}

function openSource(
  { config, flags, chain, logger, signal }: DoctorContext,
  prover: Prover,
): Promise<RpcSource> | null {
  const urls = endpointsIn(config.settings.rpc);
  if (urls === null || !(flags.repair || flags.deep)) return null;
  const { verify } = config.settings;
  return openRpcSource({ urls, chain, verify, verifySenders: verify, prover, logger, signal });
}

function checkedSpan({ firstBlock, blockNumber: newest }: Commit, { from, to }: DoctorFlags): BlockSpan {
  const span = { first: Math.max(from ?? firstBlock, firstBlock), last: Math.min(to ?? newest, newest) };
  if ((from !== undefined || to !== undefined) && span.first > span.last)
    throw new NoStoredBlocks(firstBlock, newest);
  return span;
}

class NoEndpoint extends BaseError {
  constructor({ deep }: DoctorFlags) {
    super(
      "bad-config",
      `${deep ? "--deep" : "--repair"} needs an RPC endpoint. Give one with --rpc <url[,url]> (or QUARRY_RPC).`,
    );
  }
}

class NoStoredBlocks extends BaseError {
  constructor(first: number, newest: number) {
    super("bad-config", `No block between --from and --to is stored; blocks ${first} to ${newest} are.`);
  }
}
