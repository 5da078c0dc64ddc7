import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { BaseError } from "../../src/lib/error.ts";
import type { Hex } from "../../src/lib/hex.ts";

/** Runtime code of each contract in this folder. */
export type Artifacts = Record<string, Hex>;

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
}

const FOLDER = new URL("./", import.meta.url);
const WANTED = [
  "Token",
  "TaxedToken",
  "Bytes32Token",
  "SilentToken",
  "RebasingToken",
  "SilentlyTaxedToken",
  "Collection",
  "Multicall",
  "Router",
];

/** Compiles the sources in this folder. Throws CompileError with the compiler's messages. */
export function compileContracts(): Artifacts {
  const output = runCompiler(readSources());
  const problems = (output.errors ?? []).filter((error) => error.severity === "error");
  if (problems.length > 0) throw new CompileError(problems.map((error) => error.formattedMessage).join("\n"));
  const artifacts: Artifacts = {};
  for (const contracts of Object.values(output.contracts)) {
    for (const [name, contract] of Object.entries(contracts)) {
      if (WANTED.includes(name)) artifacts[name] = `0x${contract.evm.deployedBytecode.object}`;
    }
  }
  return artifacts;
}

function readSources(): Record<string, { content: string }> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sol"));
  return Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(new URL(file, FOLDER), "utf8") }]),
  );
}

function runCompiler(sources: Record<string, { content: string }>): CompilerOutput {
  const compiler = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const settings = {
    optimizer: { enabled: true, runs: 1_000 },
    viaIR: true,
    evmVersion: "paris",
    metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } },
  };
  return JSON.parse(compiler.compile(JSON.stringify({ language: "Solidity", sources, settings })));
}

export class CompileError extends BaseError {
  constructor(messages: string) {
    super("internal", `The demo contracts do not compile:\n${messages}`);
  }
}
