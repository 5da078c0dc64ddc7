import { Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { INDEX_SETTINGS, withIndexer } from "./indexing.ts";

/** `quarry index`: fetches, verifies, decodes, prices and stores blocks; exits when `--to` is committed. */
export function indexCommand(): Command {
  const command = new Command("index").description("index a chain, resuming where it stopped");
  addSettings(command, INDEX_SETTINGS);
  addExamples(command, [
    [
      "a range; run it again to resume where it stopped",
      "quarry index --rpc https://node.example --from 18000000 --to 18010000",
    ],
    [
      "follow the head, storing into a ClickHouse server",
      "quarry index --rpc https://node.example --clickhouse http://host:8123/quarry",
    ],
  ]);
  return command.action(() => withIndexer(configOf(command, INDEX_SETTINGS), ({ indexer }) => indexer.run()));
}
