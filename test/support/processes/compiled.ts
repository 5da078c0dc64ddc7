import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");
const COMPILED = join(ROOT, "dist");
/** Source folders that processes run. `npm run build` also compiles the first one. */
const SOURCES = ["src", "test/support"];

type Compiler = typeof import("typescript");

let areCompiled = false;

/**
 * Returns the compiled file of a source. Processes start from compiled files, like the published package: a
 * process that compiles its sources while it loads them needs another second of processor time.
 */
export function compiledFile(source: string): string {
  if (!areCompiled) for (const folder of SOURCES) compileChanged(folder);
  areCompiled = true;
  return compiledPath(source);
}

function compiledPath(source: string): string {
  return join(COMPILED, source.replace(/\.ts$/, ".js"));
}

function compileChanged(folder: string): void {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => /(?<!\.test)\.ts$/.test(name)).map((name) => join(folder, name));
  for (const source of sources.filter(isChanged)) compile(source);
}

function isChanged(source: string): boolean {
  const compiled = statSync(compiledPath(source), { throwIfNoEntry: false });
  return compiled === undefined || compiled.mtimeMs < statSync(join(ROOT, source)).mtimeMs;
}

/**
 * Compiles a source. Test files run in parallel, so the compiled file is written under another name and then
 * renamed.
 */
function compile(source: string): void {
  const target = compiledPath(source);
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, javaScriptOf(source));
  renameSync(draft, target);
}

function javaScriptOf(source: string): string {
  // The compiler is loaded on demand, because usually nothing has changed.
  const { transpileModule, ModuleKind, ScriptTarget } = createRequire(import.meta.url)(
    "typescript",
  ) as Compiler;
  return transpileModule(readFileSync(join(ROOT, source), "utf8"), {
    fileName: source,
    compilerOptions: {
      target: ScriptTarget.ES2023,
      module: ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  }).outputText;
}
