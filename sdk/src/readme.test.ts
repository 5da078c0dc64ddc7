import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";
import { type Listening, serveLive } from "../support/service.ts";
import * as sdk from "./index.ts";

const SDK = resolve(import.meta.dirname, "..");
const ADDRESS_IN_EXAMPLES = "http://127.0.0.1:8080";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

const examples = [join(SDK, "README.md"), join(SDK, "../README.md")].flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code),
);
const files = new Map(examples.map((code, i) => [join(SDK, `example-${i}.ts`), code]));

/** Compiles the examples with the types of a browser, and returns the compiler's errors. */
function faultsOfExamples(): string[] {
  const config = ts.readConfigFile(join(SDK, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, SDK);
  const { rootDir, outDir, ...rest } = options;
  const settings = { ...rest, noEmit: true, customConditions: ["development"] };
  const host = ts.createCompilerHost(settings);
  const { readFile, fileExists } = host;
  host.fileExists = (path) => files.has(resolve(path)) || fileExists(path);
  host.readFile = (path) => files.get(resolve(path)) ?? readFile(path);
  const program = ts.createProgram([...files.keys()], settings, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}

const AsyncFunction: new (...code: string[]) => (...values: unknown[]) => Promise<void> =
  Object.getPrototypeOf(async () => undefined).constructor;

/** Runs an example against a service and returns its output. */
async function run(code: string, url: string): Promise<string[]> {
  const { outputText } = ts.transpileModule(code.replaceAll(ADDRESS_IN_EXAMPLES, url), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const printed: string[] = [];
  const log = (...values: unknown[]) => printed.push(values.join(" "));
  const only = (name: string) => (name === "@quarry/sdk" ? sdk : undefined);
  await new AsyncFunction("require", "exports", "console", outputText)(only, {}, { log });
  return printed;
}

describe("examples of the READMEs", () => {
  let market: Market;
  let service: Listening;

  beforeAll(async () => {
    const at = Math.floor(Date.now() / 1000) - 7200;
    market = await openMarket([
      { token: WETH, at, price: 2000 },
      { token: WETH, at: at + 60, price: 2004.5 },
      { token: hexOf(2), at: at + 120, price: 1 },
    ]);
    service = await serveLive(market);
  });
  afterAll(async () => {
    await service.close();
    await market.close();
  });

  it("compile", () => {
    expect(faultsOfExamples()).toEqual([]);
  });

  it.each(examples.map((code, i) => [i, code] as const))("example %i runs and prints", async (_, code) => {
    const printed = await run(code, service.url);
    expect(code).toContain(ADDRESS_IN_EXAMPLES);
    expect(printed.length).toBeGreaterThan(0);
    expect(printed.filter((line) => /undefined|NaN|\[object/.test(line))).toEqual([]);
  });

  it("print the service's data", async () => {
    const [
      candles = "",
      prices = "",
      ticks = "",
      followed = "",
      live = "",
      wallets = "",
      top = "",
      sql = "",
      streamed = "",
      status = "",
      errors = "",
    ] = examples;
    expect((await run(candles, service.url)).slice(-1)).toEqual(["as of block 1002"]);
    expect((await run(candles, service.url))[0]).toMatch(/:00:00Z 2004.5$/);
    expect((await run(prices, service.url))[0]).toMatch(/ 2004.5$/);
    const [newest = "", older = "", ticksAsOf, page = ""] = await run(ticks, service.url);
    expect([newest, older].map((line) => line.split(" ")[1])).toEqual(["2004.5", "2000"]);
    expect(ticksAsOf).toBe("as of block 1002");
    expect(page).toMatch(/^\d+ candles back to \d{4}-.*:00:00Z$/);
    expect(await run(followed, service.url)).toEqual(["2004.5", "2000"]);
    expect(await run(live, service.url)).toEqual(["WETH costs 2004.5"]);
    expect(await run(wallets, service.url)).toEqual(["0x28c6c06298d514db089934071355e5743bf21d60 0", "0"]);
    expect((await run(top, service.url))[0]).toMatch(/ 100 100$/);
    expect(await run(sql, service.url)).toEqual(["buy 3", "that is all"]);
    const [total, size = ""] = await run(streamed, service.url);
    expect([total, /^\d{3,} bytes$/.test(size)]).toEqual(["300 false", true]);
    expect(await run(status, service.url)).toEqual(["eth 1002 "]);
    const [refused, corrected] = await run(errors, service.url);
    expect(refused).toMatch(/^bad-input 400 Invalid parameter token_address: /);
    expect(corrected).toBe("SELECT address FROM eth_logs");
  });
});
