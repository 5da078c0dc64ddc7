import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
/** Settings that the checks need. */
export const ENVIRONMENT_SETTINGS = [
  "data",
  ...SERVER_SETTING_NAMES,
  "port",
  "host",
  "answerSize",
  "verify",
] as const;
