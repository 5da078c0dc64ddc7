import { Argument, Command, Option } from "commander";
import { addExamples } from "../options.ts";

/** Actions of `quarry clickhouse`. */
const ACTION_NAMES = ["grants"] as const;

const EXAMPLES = [
  [
    "create the database and its users",
    "quarry clickhouse grants | clickhouse-client --user admin --password",
  ],
  ["read the statements first", "quarry clickhouse grants --database chains > users.sql"],
] as const;

interface GrantOptions {
  database: string;
  writer: string;
  reader: string;
  cluster?: string;
  cloud?: true;
}

/** `quarry clickhouse`: prints the SQL that an administrator of a ClickHouse server has to run for Quarry. */
export function clickhouseCommand(): Command {
  const command = new Command("clickhouse")
    .description(
      "print the SQL that creates Quarry's database on a ClickHouse server, with one user for indexing and one for serving",
    )
    .addArgument(new Argument("<action>", "what to print").choices(ACTION_NAMES))
    .helpOption("-h, --help", "print this help")
    .addOption(new Option("--database <name>", "name of the database").default("quarry"))
    .addOption(
      new Option(
        "--writer <name>",
        "user that may write to this database, for quarry index, start and all other commands except serve",
      ).default("quarry_writer"),
    )
    .addOption(
      new Option(
        "--reader <name>",
        "user that may only read this database, and nothing outside the server, for quarry serve",
      ).default("quarry_reader"),
    )
    .addOption(
      new Option(
        "--cluster <name>",
        "create the users and a replicated database on every server of this cluster (as named in their configuration)",
      ),
    )
    .addOption(
      new Option(
        "--cloud",
        "for ClickHouse Cloud: the user that indexes may also end its writes on any replica",
      ).conflicts("cluster"),
    );
  addExamples(command, EXAMPLES);
  return command.action(async () => {
    const { printGrants } = await import("./grants.ts");
    const { statements, logins } = printGrants(command.opts<GrantOptions>());
    process.stdout.write(statements);
    process.stderr.write(logins);
  });
}
