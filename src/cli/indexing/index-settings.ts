import type { Command } from "commander";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import type { Config } from "../../config/load-config.ts";
import type { SettingName } from "../../config/settings.ts";
import { configOf } from "../options.ts";
import { NO_ENDPOINT } from "../rpc-endpoints.ts";

/** Settings of commands that index. */
export const INDEX_SETTINGS = [
  "chain",
  "rpc",
  "files",
  "anchor",
  "unproven",
  "tokens",
  "rpcTimeout",
  "rpcConcurrency",
  "rpcRate",
  "headRequests",
  "from",
  "to",
  "keep",
  "data",
  ...SERVER_SETTING_NAMES,
  "engineMemory",
  "threads",
  "verify",
  "verifySenders",
  "fsync",
  "diskReserve",
  "stallAfter",
  "batchBlocks",
  "openingBalances",
  "openingReads",
  "otlpEndpoint",
  "logLevel",
] as const;

/** Returns the settings of a command that indexes. With files, no endpoint is needed. */
export function indexConfigOf<N extends SettingName>(command: Command, names: readonly N[]): Config<N> {
  const { files } = configOf(command, ["files"]).settings;
  return configOf(command, names, files === undefined ? {} : { rpc: NO_ENDPOINT });
}
