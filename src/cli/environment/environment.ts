import type { Chain } from "../../chains/chain.ts";
import type { Settings } from "../../config/settings.ts";
import type { Check } from "./check.ts";
import { checkEndpoints } from "./endpoint-checks.ts";
import {
  checkDisk,
  checkEngine,
  checkMemory,
  checkNode,
  checkOpenFiles,
  checkTemporary,
} from "./machine-checks.ts";
import { checkDataDirectory, checkPort, checkServer } from "./store-checks.ts";

/** What the environment is checked for. */
export const ENVIRONMENT_SETTINGS = ["data", "clickhouse", "port", "host", "answerSize", "verify"] as const;

/** Checks without which nothing that is stored can be opened. */
export const STORE_CHECKS: readonly string[] = ["embedded engine", "data directory", "ClickHouse server"];

interface Environment {
  settings: Settings<(typeof ENVIRONMENT_SETTINGS)[number]>;
  chain: Chain;
  /** RPC endpoints, where any are given. */
  urls: readonly string[];
}

/** Everything that Quarry needs of this machine and of what it is told to use. Opens, makes and changes nothing. */
export async function checkEnvironment({ settings, chain, urls }: Environment): Promise<Check[]> {
  const { data, clickhouse, port, host, answerSize, verify } = settings;
  const engine = await checkEngine();
  const [place, disk] =
    clickhouse === undefined
      ? await Promise.all([checkDataDirectory(data), checkDisk(data)])
      : [await checkServer(clickhouse, engine.version), null];
  return [
    checkNode(),
    engine.check,
    checkMemory(),
    place,
    ...(disk === null ? [] : [disk]),
    await checkTemporary(answerSize),
    await checkOpenFiles(),
    await checkPort(host, port),
    ...(await checkEndpoints(urls, chain, verify)),
  ];
}
