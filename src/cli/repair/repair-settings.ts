import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
/** Settings of the `repair` command. */
export const REPAIR_SETTINGS = [
  "chain",
  "rpc",
  "tokens",
  "data",
  ...SERVER_SETTING_NAMES,
  "engineMemory",
  "diskReserve",
  "logLevel",
] as const;
