import { ENVIRONMENT_SETTINGS } from "../environment/environment-settings.ts";

/** Settings of the `doctor` command. */
export const DOCTOR_SETTINGS = [
  ...ENVIRONMENT_SETTINGS,
  "chain",
  "engineMemory",
  "rpc",
  "tokens",
  "threads",
  "logLevel",
] as const;
