import { CommanderError } from "commander";
import { BaseError } from "../lib/error.ts";
import { quarryProgram } from "./program.ts";

const EXIT_FAILURE = 1;
/** Wrong use of the command line or the configuration. */
const EXIT_USAGE = 2;

/** The command line: parses it, runs the command, and turns what it throws into a sentence and an exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  const program = quarryProgram();
  try {
    await program.parseAsync(argv);
    process.exitCode ??= 0;
  } catch (error) {
    process.exitCode = report(error);
  }
  // The engine's threads outlive its last connection, so the process has to be ended.
  process.exit();
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof BaseError) {
    process.stderr.write(`quarry: ${error.message}\n`);
    return error.code === "bad-config" || error.code === "unknown-chain" ? EXIT_USAGE : EXIT_FAILURE;
  }
  process.stderr.write(`quarry: unexpected failure, please report it:\n${describe(error)}\n`);
  return EXIT_FAILURE;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
