import { Command } from "commander";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { shutdownSignal } from "../shutdown.ts";
import { isWorker } from "../workers/worker-slot.ts";
import { API_SETTINGS } from "./api-settings.ts";

const SETTING_NAMES = [
  "data",
  ...SERVER_SETTING_NAMES,
  "engineMemory",
  ...API_SETTINGS,
  "workers",
  "workerTimeout",
  "otlpEndpoint",
  "logLevel",
] as const;

/** `quarry serve`: serves the API over a data directory or a ClickHouse server. */
export function serveCommand(): Command {
  const command = new Command("serve").description("serve indexed chains");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["the data in ./mainnet", "quarry serve --data ./mainnet --port 8080"],
    ["the data on a ClickHouse server", "quarry serve --clickhouse http://user:password@host:8123/quarry"],
  ]);
  return command.action(async () => {
    const signal = shutdownSignal();
    if (isWorker()) return (await import("./serve-workers.ts")).serveAsWorker(signal);
    const config = configOf(command, SETTING_NAMES);
    const { serveStore } = await import("./serve-store.ts");
    await serveStore(config, signal);
  });
}
