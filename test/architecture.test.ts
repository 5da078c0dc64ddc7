import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const isTest = (file: string) => file.endsWith(".test.ts") || file.includes(`${sep}support${sep}`);

function filesUnder(folder: string, endings = [".ts"]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .filter((entry) => !/node_modules|dist/.test(relative(ROOT, entry.parentPath)))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const sources = filesUnder("src").filter((file) => !isTest(file));
/**
 * `src/sql/parse/lexer.ts` is in the layer `sql` and in its subfolder `parse`. `src/sql/compile.ts` is in no
 * subfolder.
 */
const layerOf = (file: string) => file.split(sep)[1] ?? "";
const subfolderOf = (file: string) => (file.split(sep).length > 3 ? (file.split(sep)[2] ?? "") : "");

const ANY_IMPORT = /(?:from|import)\s*\(?"(\.[^"]+)"/g;
/**
 * Matches static imports, which are loaded before the file runs. Skips imports of types and dynamic imports.
 */
const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)[^";]*from "(\.[^"]+)"/gm;

function importsOf(file: string, kind = ANY_IMPORT): string[] {
  return [...read(file).matchAll(kind)].map((match) =>
    relative(ROOT, resolve(ROOT, dirname(file), match[1] ?? "")),
  );
}

/** Reads a page's tables: returns the folders that each folder may import besides itself. */
function tableRows(page: string, name: RegExp): Map<string, string[]> {
  const rows = read(page)
    .split("\n")
    .map((line) => line.match(/^\| `([\w/-]+)` \|.*\| ([^|]*) \|$/))
    .filter((match) => match !== null && name.test(match[1] ?? ""));
  return new Map(rows.map((row) => [row?.[1] ?? "", (row?.[2]?.match(/\w[\w-]*/g) ?? []).sort()]));
}

/** For each folder, returns the other folders that its files import. */
function graph(
  files: string[],
  from: (file: string) => string,
  to: (imported: string, file: string) => string,
) {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    const own = from(file);
    const imported = found.get(own) ?? new Set();
    for (const target of importsOf(file)) {
      const folder = to(target, file);
      if (folder !== "" && folder !== own) imported.add(folder);
    }
    found.set(own, imported);
  }
  return new Map([...found].map(([folder, imported]) => [folder, [...imported].sort()]));
}

const sorted = (table: Map<string, string[]>) => Object.fromEntries([...table].sort());

/**
 * The wall clock may step back, so everything that waits or measures a duration must use `Clock.monotonic()`.
 * These files may read the wall clock, because they store or show a time, or compare it with a block time or
 * an HTTP date.
 */
const WALL_CLOCK_READERS = [
  "src/api/access/keys.ts",
  "src/api/endpoint/max-lag.ts",
  "src/api/endpoint/run-endpoint.ts",
  "src/api/keys/key-usage.ts",
  "src/api/operations/process-report.ts",
  "src/api/operations/watch-requests.ts",
  "src/api/streams/stream-metrics.ts",
  "src/backups/backup-store.ts",
  "src/cli/demo/demo.ts",
  "src/cli/environment/endpoint-checks.ts",
  "src/cli/hooks/hook-actions.ts",
  "src/cli/keys/key-actions.ts",
  "src/cli/serving/metrics/metrics.ts",
  "src/cli/tracing/open-telemetry.ts",
  "src/ingest/openings/opening-finder.ts",
  "src/ingest/state/head-ages.ts",
  "src/ingest/steps/rollback-chain.ts",
  "src/lib/async/clock.ts",
  "src/sources/endpoints/endpoint.ts",
  "src/sources/heads/chain-head.ts",
  "src/sources/rpc/http-client.ts",
  "src/storage/clickhouse-store.ts",
  // The monotonic clock stops while the system is suspended.
  "src/storage/commits/writer-lease.ts",
  "src/storage/directory/process-lock.ts",
  "src/storage/extension/exchange-copy.ts",
  "src/storage/summaries/price-summary.ts",
  "src/webhooks/delivery/deliverer.ts",
  "src/webhooks/delivery/receiver.ts",
  "src/webhooks/delivery/webhook-runner.ts",
];

describe("the layers of src/", () => {
  it("import what ARCHITECTURE.md says, no more and no less", () => {
    const imports = graph(sources, layerOf, (target) =>
      target.startsWith(`src${sep}`) ? layerOf(target) : "",
    );
    expect(sorted(imports)).toEqual(sorted(tableRows("ARCHITECTURE.md", /^[\w-]+$/)));
  });

  it("have no cycles", () => {
    const table = tableRows("ARCHITECTURE.md", /^[\w-]+$/);
    const order = [...table.keys()];
    const backward = [...table].flatMap(([layer, imported]) =>
      imported
        .filter((other) => order.indexOf(other) >= order.indexOf(layer))
        .map((other) => `${layer} -> ${other}`),
    );
    expect(backward).toEqual([]);
  });

  it("never leave src/: what is published depends on nothing else in the repository", () => {
    const leaving = sources.filter((file) =>
      importsOf(file).some((target) => !target.startsWith(`src${sep}`)),
    );
    expect(leaving).toEqual([]);
  });
});

const layered = [...new Set(sources.filter((file) => subfolderOf(file) !== "").map(layerOf))].sort();

describe.each(layered)("the folders of src/%s", (layer) => {
  const own = sources.filter((file) => layerOf(file) === layer);
  const table = tableRows("docs/internals/layers.md", new RegExp(`^${layer}/`));

  it("import from their siblings what docs/internals/layers.md says, no more and no less", () => {
    const sibling = (target: string) => (layerOf(target) === layer ? subfolderOf(target) : "");
    const foldersOnly = own.filter((file) => subfolderOf(file) !== "");
    const imports = graph(
      foldersOnly,
      (file) => `${layer}/${subfolderOf(file)}`,
      (target, file) => (sibling(target) === subfolderOf(file) ? "" : sibling(target)),
    );
    expect(sorted(imports)).toEqual(sorted(table));
  });

  it("have no cycles", () => {
    const order = [...table.keys()].map((folder) => folder.split("/")[1] ?? "");
    const backward = [...table].flatMap(([folder, imported]) =>
      imported
        .filter((other) => order.indexOf(other) >= order.indexOf(folder.split("/")[1] ?? ""))
        .map((other) => `${folder} -> ${other}`),
    );
    expect(backward).toEqual([]);
  });
});

describe("the sources", () => {
  it.each(["schema", "decode", "pricing", "sql", "engine-sql"])(
    "of src/%s do no input or output",
    (folder) => {
      const impure = sources
        .filter((file) => layerOf(file) === folder)
        .filter((file) =>
          /from "(node:(fs|net|http|https|child_process|dns|timers)|undici|chdb|@clickhouse)/.test(
            read(file),
          ),
        );
      expect(impure).toEqual([]);
    },
  );

  it("of commands load the layers below when they run, so that the help and a mistyped option take little time", () => {
    const loaded = new Set(["src/cli/program.ts"]);
    for (const file of loaded) for (const imported of importsOf(file, STATIC_IMPORT)) loaded.add(imported);
    expect(loaded.size).toBeGreaterThan(30);
    const heavy = /^src.(api|decode|doctor|ingest|serving|sources|storage|webhooks)\W/;
    expect([...loaded].filter((file) => heavy.test(file))).toEqual([]);
  });

  it("of decode/ take no functions that wait for something", () => {
    const waiting = sources
      .filter((file) => layerOf(file) === "decode")
      .filter((file) => /\basync\b|\bawait\b|\bPromise</.test(read(file)));
    expect(waiting).toEqual([]);
  });

  it("are at most 400 lines long", () => {
    const files = ["src", "devnet", "test", "bench", "sdk/src"].flatMap((folder) => filesUnder(folder));
    const long = [...files, ...filesUnder("explorer/src", [".ts", ".tsx"])]
      .filter((file) => !file.endsWith("api-types.ts"))
      .filter((file) => read(file).split("\n").length > 401);
    expect(long).toEqual([]);
  });

  it("lie in folders of at most 16 files", () => {
    const counts = new Map<string, number>();
    for (const folder of ["src", "devnet", "test", "bench", "sdk/src", "explorer/src"]) {
      for (const file of filesUnder(folder, [".ts", ".tsx"])) {
        counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
      }
    }
    expect([...counts].filter(([, files]) => files > 16)).toEqual([]);
  });

  it("raise only errors that carry a code", () => {
    const bare = [...sources, ...filesUnder("devnet").filter((file) => !isTest(file))].filter((file) =>
      /\bnew (Error|TypeError|RangeError)\(/.test(read(file)),
    );
    expect(bare).toEqual([]);
  });

  it("read the wall clock only to show a time or to compare it with times of blocks", () => {
    const reading = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file))).sort();
    expect(reading(/\bDate\.now\b|\bnew Date\(\)|\bDate\(\)/)).toEqual(["src/lib/async/clock.ts"]);
    expect(reading(/[cC]lock\.now\(/)).toEqual(WALL_CLOCK_READERS);
  });

  it("of every protocol family have a test on real logs", () => {
    const families = sources.filter((file) => file.startsWith(join("src", "decode", "swaps", sep)));
    const untested = families.filter((file) => !existsSync(join(ROOT, file.replace(".ts", ".test.ts"))));
    expect(families.length).toBeGreaterThan(0);
    expect(untested).toEqual([]);
  });

  it("have no names that say nothing", () => {
    const named = [...sources, ...filesUnder("devnet")].filter((file) =>
      /(^|[/\\-])(utils?|helpers?|common|misc|manager|service)([-.\\/]|$)/.test(file),
    );
    expect(named).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  it("names every folder of the repository", () => {
    const page = read("ARCHITECTURE.md");
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^\.|^(node_modules|dist|data)$/.test(entry.name))
      .map((entry) => entry.name);
    expect(folders.length).toBeGreaterThan(5);
    expect(folders.filter((folder) => !page.includes(`${folder}/`))).toEqual([]);
  });

  it("is one page: at most 140 lines, with walks of at most 12 steps", () => {
    const page = read("ARCHITECTURE.md");
    const steps = [...page.matchAll(/^(\d+)\. /gm)].map(([, step]) => Number(step));
    expect(page.split("\n").length).toBeLessThanOrEqual(140);
    expect(steps.filter((step) => step === 1)).toHaveLength(2);
    expect(Math.max(...steps)).toBeLessThanOrEqual(12);
  });
});

describe("the pages about the code", () => {
  const pages = ["ARCHITECTURE.md", ...filesUnder(join("docs", "internals"), [".md"])];

  it.each(pages)("%s names functions that exist, in the files that it gives", (page) => {
    const text = read(page).replace(/\s*\n\s*/g, " ");
    const named = [...text.matchAll(/`([#\w.]+)\(\)`(?:[^`]*\(| in )`([\w/.-]+\.tsx?)`/g)];
    const wrong = named.filter(([, call = "", file = ""]) => {
      const path = [file, join("src", file)].find((candidate) => existsSync(join(ROOT, candidate)));
      return (
        path === undefined ||
        !new RegExp(`\\b${call.split(".").at(-1)?.replace("#", "")}\\b`).test(read(path))
      );
    });
    expect(wrong.map(([mention]) => mention)).toEqual([]);
  });

  it("name many functions: else the check above finds nothing", () => {
    const calls = pages.flatMap((page) => [...read(page).matchAll(/`[#\w.]+\(\)`\s+\(`/g)]);
    expect(calls.length).toBeGreaterThan(60);
  });
});

describe("the pages", () => {
  const pages = [
    "README.md",
    "ARCHITECTURE.md",
    "bench/RESULTS.md",
    "sdk/README.md",
    ...filesUnder("docs", [".md"]),
  ];

  it.each(pages)("%s names files that exist", (page) => {
    const named = [...read(page).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.tsx?)`/g)].map(([, file = ""]) => file);
    const missing = named
      .filter((file) => !file.includes("NAME"))
      .filter((file) => !["", "src", "sdk", "explorer"].some((root) => existsSync(join(ROOT, root, file))));
    expect(missing).toEqual([]);
  });
});
