import { Command, InvalidArgumentError, Option } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { NO_ENDPOINT } from "../rpc-endpoints.ts";
import type { DoctorFlags } from "./doctor.ts";
import { DOCTOR_SETTINGS } from "./doctor-settings.ts";

/** Most checks need no endpoint. Progress is shown on the terminal, so the log is for problems only. */
const DEFAULTS = { rpc: NO_ENDPOINT, logLevel: "warn" };

const EXIT_FINDINGS = 1;

/** `quarry doctor`: checks the environment and the stored chain, and repairs damage with `--repair`. */
export function doctorCommand(): Command {
  const command = new Command("doctor").description(
    "check this machine, the endpoints and the stored data, and repair damage",
  );
  command
    .option("--repair", "repair any damage: fetch damaged blocks again (needs --rpc)")
    .option(
      "--deep",
      "also fetch, verify and decode every block again, and compare bit for bit (needs --rpc)",
    )
    .option("--json", "print the findings as one JSON object")
    .addOption(
      new Option("--from <block>", "first block to check; default: the first stored").argParser(blockNumber),
    )
    .addOption(
      new Option("--to <block>", "last block to check; default: the newest stored").argParser(blockNumber),
    );
  addSettings(command, DOCTOR_SETTINGS, DEFAULTS);
  addExamples(command, [
    ["check this machine and the stored data", "quarry doctor"],
    ["also check an endpoint", "quarry doctor --rpc https://node.example --chain base"],
    [
      "fetch every block again and compare all rows",
      "quarry doctor --deep --rpc https://node.example --data ./mainnet",
    ],
    ["repair any damage", "quarry doctor --repair --rpc https://node.example --data ./mainnet"],
  ]);
  return command.action(async () => {
    const config = configOf(command, DOCTOR_SETTINGS, DEFAULTS);
    const { runDoctor } = await import("./doctor.ts");
    const isOk = await runDoctor(config, command.opts<DoctorFlags>());
    if (!isOk) process.exitCode = EXIT_FINDINGS;
  });
}

function blockNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Give a block number.");
  return Number(text);
}
