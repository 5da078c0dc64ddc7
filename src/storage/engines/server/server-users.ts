import { identifier, type Sql, sql, text } from "../../../engine-sql/sql-text.ts";
import type { Engine } from "../../store.ts";
import { engineCode } from "../engine-failure.ts";
import { createReplicatedDatabase } from "./replicas/replicated-database.ts";

/** The system tables that Quarry reads. Each shows a user only rows about tables that the user may access. */
const SYSTEM_TABLES = [
  "columns",
  "data_skipping_indices",
  "databases",
  "disks",
  "events",
  "metrics",
  "parts",
  "processes",
  "projections",
  "replicas",
  "server_settings",
  "settings",
  "tables",
] as const;

/** Privileges, in Quarry's database, of the user that indexes chains and runs all other commands. */
const WRITER_PRIVILEGES = sql`SELECT, INSERT, ALTER TABLE, CREATE TABLE, DROP TABLE, TRUNCATE, OPTIMIZE, SYSTEM SYNC REPLICA,
  SYSTEM SYNC DATABASE REPLICA`;

/**
 * Privileges that the user that indexes chains also needs in ClickHouse Cloud: to end its own writes, which may
 * run on any replica.
 */
const CLOUD_PRIVILEGES = sql`CLUSTER, KILL QUERY`;

/** Privileges, in Quarry's database, of the user that only serves chains. */
const READER_PRIVILEGES = sql`SELECT`;

/** A kind of user of a ClickHouse server: `writer` indexes chains, `reader` only serves them. */
export type ServerRole = "writer" | "reader";

interface Privileges {
  privileges: Sql;
  /** A table, or all tables of a database. */
  on: Sql;
}

/** Returns all privileges of a kind of user. A user may always end its own statements. */
export function privilegesOf(role: ServerRole, database: string): Privileges[] {
  const privileges = role === "writer" ? WRITER_PRIVILEGES : READER_PRIVILEGES;
  const ofSystem = SYSTEM_TABLES.map((table) => ({
    privileges: sql`SELECT`,
    on: sql`system.${identifier(table)}`,
  }));
  return [{ privileges, on: sql`${identifier(database)}.*` }, ...ofSystem];
}

/**
 * Settings of a reader. It can never write, whatever it is granted later, but it can set the limits of its
 * statements: that is the meaning of 2.
 */
export const READER_SETTINGS: Sql = sql`readonly = 2`;

export interface ServerUser {
  role: ServerRole;
  name: string;
  /** Lowercase hexadecimal digits of the password's SHA-256. */
  passwordHash: string;
}

/** The kind of server on which the users are created. */
export interface ServerKind {
  /** Name of a cluster: everything is created on all its servers, with a replicated database. */
  cluster?: string;
  /** True for ClickHouse Cloud. */
  isCloud?: boolean;
}

/**
 * Prints the statements with which an administrator of a ClickHouse server creates Quarry's database and its
 * users. Running them again adds the privileges that a later version of Quarry needs, and keeps the passwords
 * of existing users.
 */
export function serverUserStatements(
  database: string,
  users: readonly ServerUser[],
  { cluster, isCloud = false }: ServerKind = {},
): Sql[] {
  const create =
    cluster === undefined
      ? sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`
      : createReplicatedDatabase(database, cluster);
  const onCluster = cluster === undefined ? sql`` : sql` ON CLUSTER ${identifier(cluster)}`;
  const ofUsers = users.flatMap((user) => userStatements(database, user, onCluster));
  const writers = isCloud ? users.filter(({ role }) => role === "writer") : [];
  const inCloud = writers.map(({ name }) => sql`GRANT ${CLOUD_PRIVILEGES} ON *.* TO ${identifier(name)}`);
  return [create, ...ofUsers, ...inCloud];
}

function userStatements(database: string, { role, name, passwordHash }: ServerUser, onCluster: Sql): Sql[] {
  const user = identifier(name);
  const login = sql`IDENTIFIED WITH sha256_hash BY ${text(passwordHash)}`;
  const grants = privilegesOf(role, database).map(
    ({ privileges, on }) => sql`GRANT${onCluster} ${privileges} ON ${on} TO ${user}`,
  );
  const create = sql`CREATE USER IF NOT EXISTS ${user}${onCluster} ${login} DEFAULT DATABASE ${identifier(database)}`;
  if (role === "writer") return [create, ...grants];
  const profile = sql`CREATE SETTINGS PROFILE IF NOT EXISTS ${user}${onCluster} SETTINGS ${READER_SETTINGS}`;
  return [profile, sql`${create} SETTINGS PROFILE ${text(name)}`, ...grants];
}

/**
 * The engine's code for a statement that it cannot parse, which is how versions without `CHECK GRANT`
 * respond.
 */
const SYNTAX_ERROR = 62;

/** Returns false if the engine connects to a server as a user who may only read. */
export async function mayWrite(engine: Engine): Promise<boolean> {
  const [setting] = await engine.query<{ readonly: number }>(sql`SELECT getSetting('readonly') AS readonly`);
  return Number(setting?.readonly) === 0 && (await isGrantedToWrite(engine));
}

async function isGrantedToWrite(engine: Engine): Promise<boolean> {
  try {
    const [found] = await engine.query<{ result: number }>(sql`CHECK GRANT INSERT, CREATE TABLE ON *`);
    return Number(found?.result) === 1;
  } catch (error) {
    // This version cannot check privileges. If they are missing, writes fail and report why.
    if (error instanceof Error && engineCode(error.cause) === SYNTAX_ERROR) return true;
    throw error;
  }
}
