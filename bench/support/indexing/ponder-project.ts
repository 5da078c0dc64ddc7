import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ethereum } from "../../../src/chains/ethereum.ts";
import type { BlockSpan } from "./run.ts";

/** Contracts whose events Ponder handles, at any address. */
interface Handled {
  contract: string;
  table: string;
  signature: string;
  /** Columns of the table and their types; each is an argument of the event. */
  columns: Record<string, "hex" | "bigint" | "integer">;
}

const TRANSFER: Handled = {
  contract: "Token",
  table: "transfer",
  signature: "event Transfer(address indexed from, address indexed to, uint256 value)",
  columns: { from: "hex", to: "hex", value: "bigint" },
};

const SWAP_V2: Handled = {
  contract: "PairV2",
  table: "swapV2",
  signature:
    "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, " +
    "uint256 amount1Out, address indexed to)",
  columns: {
    sender: "hex",
    amount0In: "bigint",
    amount1In: "bigint",
    amount0Out: "bigint",
    amount1Out: "bigint",
    to: "hex",
  },
};

const SWAP_V3: Handled = {
  contract: "PoolV3",
  table: "swapV3",
  signature:
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, " +
    "uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  columns: {
    sender: "hex",
    recipient: "hex",
    amount0: "bigint",
    amount1: "bigint",
    sqrtPriceX96: "bigint",
    liquidity: "bigint",
    tick: "integer",
  },
};

/** The events of each measurement. */
export const EVENT_SETS = { transfers: [TRANSFER], "transfers and swaps": [TRANSFER, SWAP_V2, SWAP_V3] };

export type EventSet = keyof typeof EVENT_SETS;

/**
 * At first, Ponder sends 20 requests per second to an endpoint, and it raises this rate slowly. No setting
 * changes this, so the same node is listed many times.
 */
const ENDPOINTS = 50;

/** Writes a project that stores each event as one row, with Ponder's embedded database. */
export function writeProject(folder: string, events: EventSet, span: BlockSpan): void {
  const handled = EVENT_SETS[events];
  const files = {
    "ponder.config.ts": configOf(handled, span),
    "ponder.schema.ts": schemaOf(handled),
    "src/index.ts": handlersOf(handled),
    // Ponder does not start without an API.
    "src/api/index.ts": `import { Hono } from "hono";\nexport default new Hono();\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function configOf(handled: readonly Handled[], { url, measuredFrom, to }: BlockSpan): string {
  const urls = Array.from({ length: ENDPOINTS }, (_, i) => `${url}/${i}`);
  const contracts = handled.map(
    ({ contract, signature }) =>
      `${contract}: { abi: parseAbi([${JSON.stringify(signature)}]), chain: "mainnet", ` +
      `startBlock: ${measuredFrom}, endBlock: ${to} },`,
  );
  return `import { createConfig } from "ponder";
import { parseAbi } from "viem";
export default createConfig({
  database: { kind: "pglite" },
  chains: { mainnet: { id: ${ethereum.chainId}, rpc: ${JSON.stringify(urls)} } },
  contracts: { ${contracts.join("\n")} },
});
`;
}

function schemaOf(handled: readonly Handled[]): string {
  const tables = handled.map(({ table, columns }) => {
    const lines = Object.entries(columns).map(([name, type]) => `${name}: t.${type}().notNull(),`);
    return `export const ${table} = onchainTable("${table}", (t) => ({
  id: t.text().primaryKey(), address: t.hex().notNull(), block: t.bigint().notNull(),
  ${lines.join("\n  ")}
}));`;
  });
  return `import { onchainTable } from "ponder";\n${tables.join("\n")}\n`;
}

function handlersOf(handled: readonly Handled[]): string {
  const handlers = handled.map(({ contract, table, signature }) => {
    const event = /event (\w+)/.exec(signature)?.[1];
    return `ponder.on("${contract}:${event}", async ({ event, context }) => {
  const { id, args, log, block } = event;
  await context.db.insert(schema.${table}).values({ id, address: log.address, block: block.number, ...args });
});`;
  });
  return `import { ponder } from "ponder:registry";\nimport schema from "ponder:schema";\n${handlers.join("\n")}\n`;
}
