import { API_SETTINGS } from "../serving/api-settings.ts";

/** Settings of the `demo` command. */
export const DEMO_SETTINGS = [
  "data",
  "engineMemory",
  "diskReserve",
  ...API_SETTINGS,
  "seed",
  "days",
  "endTime",
  "blockTime",
  "logLevel",
] as const;
