import { Command } from "commander";
import { INDEX_SETTINGS, indexConfigOf } from "../indexing/index-settings.ts";
import { addExamples, addSettings } from "../options.ts";
import { API_SETTINGS } from "./api-settings.ts";

const SETTING_NAMES = [...INDEX_SETTINGS, ...API_SETTINGS] as const;

/** `quarry start`: indexes and serves in one process. */
export function startCommand(): Command {
  const command = new Command("start").description("index a chain and serve it in one process");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    [
      "the last day of Ethereum, then follow the head",
      "quarry start --rpc https://node.example --data ./mainnet",
    ],
    [
      "another chain, with a fallback endpoint",
      "quarry start --chain base --rpc https://a.example,https://b.example",
    ],
    [
      "for other machines, with an API key",
      "quarry start --rpc https://node.example --host 0.0.0.0 --keys A-LONG-RANDOM-SECRET",
    ],
  ]);
  return command.action(async () => {
    const config = indexConfigOf(command, SETTING_NAMES);
    const { startService } = await import("./start.ts");
    await startService(config);
  });
}
