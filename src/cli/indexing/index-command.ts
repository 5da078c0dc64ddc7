import { Command } from "commander";
import { addExamples, addSettings } from "../options.ts";
import { INDEX_SETTINGS, indexConfigOf } from "./index-settings.ts";

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
      "history from files, confirmed by any node; then follow the head",
      "quarry index --files https://data.ethpandaops.io/erae/mainnet --rpc https://node.example",
    ],
    [
      "files alone, proven by the hash of the last block, with names and decimals from a token list",
      "quarry index --files ./erae --anchor 0x… --tokens ./tokens.json",
    ],
    [
      "follow the head, storing in a ClickHouse server",
      "quarry index --rpc https://node.example --clickhouse http://host:8123/quarry",
    ],
  ]);
  return command.action(async () => {
    const config = indexConfigOf(command, INDEX_SETTINGS);
    const { withIndexer } = await import("./indexing.ts");
    await withIndexer(config, ({ run }) => run());
  });
}
