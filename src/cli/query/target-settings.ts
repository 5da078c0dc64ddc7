import type { ChainServers } from "../../config/groups/chain-servers.ts";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import type { Settings } from "../../config/settings.ts";
import type { API_SETTINGS } from "../serving/api-settings.ts";

/** Settings that select where a query is sent. */
export const QUERY_TARGET_SETTINGS = [
  "url",
  "key",
  "port",
  "data",
  ...SERVER_SETTING_NAMES,
  "engineMemory",
] as const;

type TargetSetting = (typeof QUERY_TARGET_SETTINGS)[number];

/** Settings of the target, and settings of a service. Missing settings have their defaults. */
export type QuerySettings = Settings<TargetSetting> & Partial<Settings<(typeof API_SETTINGS)[number]>>;

/** The settings, and the servers of chains that have their own. */
export interface QueryConfig {
  settings: QuerySettings;
  servers: ChainServers;
}
