import type { Chain } from "../../chains/chain.ts";
import type { Settings } from "../../config/settings.ts";
import type { Check } from "./check.ts";
import { checkEndpoints } from "./endpoint-checks.ts";
import type { ENVIRONMENT_SETTINGS } from "./environment-settings.ts";
import {
  checkDisk,
  checkEngine,
  checkMemory,
  checkNode,
  checkOpenFiles,
  checkTemporary,
} from "./machine-checks.ts";
import { checkPort } from "./port-check.ts";
import { checkDataDirectory, checkServer } from "./store-checks.ts";

/** Names of the checks that must pass before a store can be opened. */
export const STORE_CHECKS: readonly string[] = ["embedded engine", "data directory", "ClickHouse server"];

/**
 * Checks this machine, and the directories, servers and endpoints in the settings. Changes nothing.
 *
 * @param urls RPC endpoints, if any are given
 */
export async function checkEnvironment(
  settings: Settings<(typeof ENVIRONMENT_SETTINGS)[number]>,
  chain: Chain,
  urls: readonly string[],
): Promise<Check[]> {
  const { data, clickhouse, port, host, answerSize, verify } = settings;
  const engine = await checkEngine();
  const [store, disk] =
    clickhouse === undefined
      ? await Promise.all([checkDataDirectory(data), checkDisk(data)])
      : [await checkServer(settings, engine.version), null];
  return [
    checkNode(),
    engine.check,
    checkMemory(),
    store,
    ...(disk === null ? [] : [disk]),
    await checkTemporary(answerSize),
    await checkOpenFiles(),
    await checkPort(host, port),
    ...(await checkEndpoints(urls, chain, verify)),
  ];
}
