import { Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { DEMO_SETTINGS } from "./demo-settings.ts";

/**
 * Users watch the screen, so only lasting problems are logged. While mining, the demo's node occasionally
 * rejects a request, which is then retried.
 */
const DEFAULTS = { logLevel: "error" };

/**
 * `quarry demo`: runs a local chain with the real DEX contracts and a market of traders, indexed and served
 * live.
 */
export function demoCommand(): Command {
  const command = new Command("demo").description(
    "run a local chain with a live market, index it and serve it",
  );
  addSettings(command, DEMO_SETTINGS, DEFAULTS);
  addExamples(command, [
    ["two weeks of market history on http://127.0.0.1:8080", "quarry demo"],
    ["a second market, half a day long", "quarry demo --seed 7 --days 0.5 --data ./other --port 8090"],
  ]);
  return command.action(async () => {
    const { settings } = configOf(command, DEMO_SETTINGS, DEFAULTS);
    const { startDemo } = await import("./demo.ts");
    await startDemo(settings);
  });
}
