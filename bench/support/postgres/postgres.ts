import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { BaseError } from "../../../src/lib/error.ts";

const PORT = "54329";
const DEBIAN = "/usr/lib/postgresql";

/**
 * Settings for a machine with 24 GB whose data fits into memory. They accept data loss in a crash, because
 * the data can be loaded again.
 */
const SETTINGS = {
  shared_buffers: "4GB",
  work_mem: "256MB",
  maintenance_work_mem: "2GB",
  effective_cache_size: "12GB",
  random_page_cost: "1.1",
  jit: "off",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "16GB",
  autovacuum: "off",
  listen_addresses: "",
};

/** Times of the individual transactions, in milliseconds. */
export interface Timed {
  milliseconds: number[];
}

/** Parameters of a connection. `host` is the folder of the socket. */
export interface PostgresConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

/** A private PostgreSQL server from Debian's package. Its socket is in its folder. */
export class Postgres {
  readonly #folder: string;
  readonly #programs: string;
  readonly #server: ReturnType<typeof spawn>;
  readonly #isKept: boolean;

  private constructor(
    folder: string,
    programs: string,
    server: ReturnType<typeof spawn>,
    { isKept }: { isKept: boolean },
  ) {
    this.#folder = folder;
    this.#programs = programs;
    this.#server = server;
    this.#isKept = isKept;
  }

  /** @param kept a folder that stays for the next run. Default: a temporary folder. */
  static async start(kept?: string): Promise<Postgres> {
    const programs = join(DEBIAN, newestVersion(), "bin");
    const folder = resolve(kept ?? mkdtempSync(join(tmpdir(), "quarry-bench-postgres-")));
    mkdirSync(folder, { recursive: true });
    const user = serverUser();
    chownSync(folder, user.uid, user.gid);
    const data = join(folder, "data");
    if (!existsSync(data)) {
      const made = ["-D", data, "-A", "trust", "-U", "bench", "--no-sync"];
      execFileSync(join(programs, "initdb"), made, {
        ...user,
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      });
    }
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const where = ["-D", data, "-p", PORT, "-k", folder];
    const options = { ...user, cwd: folder, stdio: "ignore" } as const;
    const server = spawn(join(programs, "postgres"), [...where, ...settings], options);
    const started = new Postgres(folder, programs, server, { isKept: kept !== undefined });
    await started.#ready();
    return started;
  }

  /** Parameters of the connection for a driver in another process. */
  get connection(): PostgresConnection {
    return { host: this.#folder, port: Number(PORT), user: "bench", database: "postgres" };
  }

  get pid(): number {
    return this.#server.pid ?? 0;
  }

  async #ready(): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      try {
        execFileSync(join(this.#programs, "pg_isready"), this.#place(), { stdio: "ignore" });
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    throw new PostgresFailed("did not start within 20 seconds");
  }

  #place(): string[] {
    return ["-h", this.#folder, "-p", PORT, "-U", "bench", "-d", "postgres"];
  }

  /** Runs a statement. Returns its result as text with columns separated by tabs. */
  run(statement: string): string {
    const file = join(this.#folder, "statement.sql");
    writeFileSync(file, statement);
    const given = ["-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-f", file];
    const options = { encoding: "utf8", maxBuffer: 256 * 1024 ** 2 } as const;
    return execFileSync(join(this.#programs, "psql"), [...this.#place(), ...given], options);
  }

  /** Loads rows in COPY's text format. */
  async copy(table: string, rows: AsyncIterable<Uint8Array>): Promise<void> {
    const given = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", `COPY ${table} FROM STDIN`];
    const psql = spawn(join(this.#programs, "psql"), [...this.#place(), ...given], {
      stdio: ["pipe", "ignore", "pipe"],
    });
    let complaint = "";
    psql.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    const ended = once(psql, "close");
    await pipeline(rows, psql.stdin);
    const [code] = await ended;
    if (code !== 0) throw new PostgresFailed(complaint.slice(0, 500));
  }

  /** Repeats one statement with pgbench. Each client uses a separate connection. */
  time(statement: string, { clients, seconds }: { clients: number; seconds: number }): Timed {
    const script = join(this.#folder, "question.sql");
    const logs = join(this.#folder, "logs");
    rmSync(logs, { recursive: true, force: true });
    mkdirSync(logs);
    writeFileSync(script, `${statement};\n`);
    const given = ["-n", "-M", "simple", "-c", String(clients), "-j", "1", "-f", script, "-l"];
    const place = this.#place().slice(0, -2);
    execFileSync(join(this.#programs, "pgbench"), [...place, ...given, ...lengthOf(seconds), "postgres"], {
      cwd: logs,
      stdio: "pipe",
    });
    const lines = readdirSync(logs).flatMap((name) =>
      readFileSync(join(logs, name), "utf8").trim().split("\n"),
    );
    return { milliseconds: lines.map((line) => Number(line.split(" ")[2]) / 1000) };
  }

  async stop(): Promise<void> {
    const ended = once(this.#server, "close");
    this.#server.kill("SIGINT");
    await ended;
    if (!this.#isKept) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Returns pgbench's options for the length of a run. pgbench accepts only whole seconds, so a shorter run is
 * limited by the number of statements per client.
 */
function lengthOf(seconds: number): string[] {
  return seconds < 1 ? ["-t", "2"] : ["-T", String(Math.ceil(seconds))];
}

function newestVersion(): string {
  const [version] = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  if (version === undefined) throw new PostgresFailed("is not installed: apt-get install postgresql");
  return version;
}

/** Returns the user of the server. It is not root, because PostgreSQL does not run as root. */
function serverUser(): { uid: number; gid: number } {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { uid, gid };
  const idOf = (kind: string) => Number(execFileSync("id", [kind, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

class PostgresFailed extends BaseError {
  constructor(what: string) {
    super("bad-config", `PostgreSQL ${what}. Without it: --no-postgres.`);
  }
}
