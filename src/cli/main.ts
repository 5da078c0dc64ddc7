import { CommanderError } from "commander";
import { BaseError } from "../lib/error.ts";
import { quarryProgram } from "./program.ts";
import { printableLines } from "./terminal/printable.ts";

const EXIT_FAILURE = 1;
/** Exit code for an invalid command line or configuration. */
export const EXIT_USAGE = 2;

/** Runs the command that a command line names, and ends the process. */
export async function run(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCommand(argv);
  // The engine's threads outlive its last connection, so the process must exit explicitly.
  process.exit();
}

/** Parses the command line, runs the command, and turns its errors into a message and an exit code. */
export async function runCommand(argv: readonly string[]): Promise<NonNullable<typeof process.exitCode>> {
  try {
    await quarryProgram().parseAsync(argv);
    return process.exitCode ?? 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof BaseError) {
    process.stderr.write(`quarry: ${printableLines(error.message)}\n`);
    return error.code === "bad-config" || error.code === "unknown-chain" ? EXIT_USAGE : EXIT_FAILURE;
  }
  process.stderr.write(`quarry: unexpected error, please report it:\n${describe(error)}\n`);
  return EXIT_FAILURE;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
