import { createHash, randomBytes } from "node:crypto";
import { isIdentifier } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { serverUserStatements } from "../../storage/engines/server/server-users.ts";

interface GrantOptions extends GrantNames {
  /** True for ClickHouse Cloud. */
  cloud?: boolean;
}

interface GrantNames {
  database: string;
  writer: string;
  reader: string;
  cluster?: string;
}

interface PrintedGrants {
  /** SQL for an administrator. It contains only the hashes of the passwords. */
  statements: string;
  /** The addresses of the server for --clickhouse, with the passwords. */
  logins: string;
}

const PASSWORD_BYTES = 24;

/** Databases that belong to the server itself. */
const SYSTEM_DATABASES = new Set(["system", "information_schema"]);

/**
 * Returns the statements that create Quarry's database and users with new passwords.
 *
 * @throws BadName, SystemDatabase, SameUser
 */
export function printGrants({ cloud: isCloud = false, ...names }: GrantOptions): PrintedGrants {
  const { database, writer, reader, cluster } = names;
  for (const [option, name] of Object.entries(names))
    if (!isIdentifier(name)) throw new BadName(option, name);
  if (SYSTEM_DATABASES.has(database.toLowerCase())) throw new SystemDatabase(database);
  if (writer === reader) throw new SameUser(writer);
  const [ofWriter, ofReader] = [newPassword(), newPassword()];
  const users = [
    { role: "writer" as const, name: writer, passwordHash: ofWriter.hash },
    { role: "reader" as const, name: reader, passwordHash: ofReader.hash },
  ];
  const statements = serverUserStatements(database, users, {
    isCloud,
    ...(cluster === undefined ? {} : { cluster }),
  });
  const hosts = cluster === undefined ? ["HOST"] : ["REPLICA_1", "REPLICA_2"];
  const [scheme, port] = isCloud ? ["https", 8443] : ["http", 8123];
  const address = (user: string, password: string) =>
    hosts.map((host) => `${scheme}://${user}:${password}@${host}:${port}/${database}`).join(",");
  return {
    statements: statements.map((statement) => `${statement};\n`).join(""),
    logins: `The passwords are shown only here. A user that already exists keeps its password.

quarry index, start  --clickhouse ${address(writer, ofWriter.password)}
quarry serve         --clickhouse ${address(reader, ofReader.password)}
`,
  };
}

function newPassword(): { password: string; hash: string } {
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  return { password, hash: createHash("sha256").update(password).digest("hex") };
}

class BadName extends BaseError {
  constructor(option: string, name: string) {
    super(
      "bad-config",
      `--${option} ${JSON.stringify(name)} is not a valid name: use letters, digits and underscores, and do not begin with a digit.`,
    );
  }
}

class SystemDatabase extends BaseError {
  constructor(database: string) {
    super(
      "bad-config",
      `--database ${database} belongs to the server itself. Choose another name for Quarry's database.`,
    );
  }
}

class SameUser extends BaseError {
  constructor(user: string) {
    super("bad-config", `--writer and --reader are both ${user}. Give them different names.`);
  }
}
