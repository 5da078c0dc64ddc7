import { styleText } from "node:util";
import { Command } from "commander";
import { backupCommand } from "./backups/backup-command.ts";
import { restoreCommand } from "./backups/restore-command.ts";
import { clickhouseCommand } from "./clickhouse/clickhouse-command.ts";
import { completionCommand } from "./completion/completion.ts";
import { demoCommand } from "./demo/demo-command.ts";
import { doctorCommand } from "./doctor/doctor-command.ts";
import { exportCommand } from "./exports/export-command.ts";
import { importCommand } from "./exports/import-command.ts";
import { extensionCommand } from "./extension/extension-command.ts";
import { hooksCommand } from "./hooks/hooks-command.ts";
import { indexCommand } from "./indexing/index-command.ts";
import { keysCommand } from "./keys/keys-command.ts";
import { mcpCommand } from "./mcp/mcp-command.ts";
import { addExamples } from "./options.ts";
import { version } from "./package-folder.ts";
import { pruneCommand } from "./prune/prune-command.ts";
import { queryCommand } from "./query/query-command.ts";
import { statusCommand } from "./query/status-command.ts";
import { repairCommand } from "./repair/repair-command.ts";
import { rewindCommand } from "./rewind/rewind-command.ts";
import { serveCommand } from "./serving/serve-command.ts";
import { startCommand } from "./serving/start-command.ts";

/** All commands, by heading in the help. */
const COMMANDS: Record<string, readonly (() => Command)[]> = {
  "Try it:": [demoCommand],
  "Index and serve:": [startCommand, indexCommand, serveCommand],
  "Query:": [queryCommand, statusCommand, mcpCommand],
  "Deliver:": [hooksCommand],
  "Admit clients:": [keysCommand],
  "Use a server:": [clickhouseCommand],
  "Move data:": [exportCommand, importCommand],
  "Back up:": [backupCommand, restoreCommand],
  "Maintain:": [doctorCommand, repairCommand, pruneCommand, rewindCommand, extensionCommand],
  "Shell:": [completionCommand],
};

/** Builds the program with all commands, their options and help. */
export function quarryProgram(): Command {
  const program = new Command("quarry")
    .description("Index EVM chains from any node, price every trade, query with SQL or REST.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false);
  for (const [heading, makers] of Object.entries(COMMANDS)) {
    for (const make of makers) program.addCommand(make().helpGroup(heading));
  }
  program.addCommand(helpCommand(program).helpGroup("Shell:"));
  addExamples(program, [
    ["a local chain with a live market, indexed and served (in a checkout)", "quarry demo"],
    ["the options of a command", "quarry start --help"],
    ["check this machine", "quarry doctor"],
  ]);
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showHelpAfterError(`(${pathOf(command)} --help shows the usage)`)
      .configureHelp({ styleTitle: (title) => styleText("bold", title), showGlobalOptions: false })
      .configureOutput({
        outputError: (text, write) => write(text.replace(/^error: /, "quarry: ")),
      });
  }
  return program;
}

/**
 * Returns the command `help`. Commander's own help command prints the help of the whole program for a command
 * that does not exist, without saying so.
 */
function helpCommand(program: Command): Command {
  const command = new Command("help")
    .argument("[command]")
    .description("print the help for a command")
    .helpOption("-h, --help", "print this help");
  addExamples(command, [["the options of start", "quarry help start"]]);
  return command.action(async (name?: string) => {
    const exists = program.commands.some((each) => each.name() === name);
    const words = name === undefined ? ["--help"] : exists ? [name, "--help"] : [name];
    await program.parseAsync(words, { from: "user" });
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
}
