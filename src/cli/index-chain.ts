import { Command } from "commander";
import { INDEX_SETTINGS, withIndexer } from "./indexing.ts";
import { addSettings, configOf } from "./options.ts";

/** `quarry index`: fetch, prove, decode, price and store; exits when `--to` is committed. */
export function indexCommand(): Command {
  const command = new Command("index").description("index a chain; resumes where it stopped");
  return addSettings(command, INDEX_SETTINGS).action(() =>
    withIndexer(configOf(command, INDEX_SETTINGS), ({ indexer }) => indexer.run()),
  );
}
