import type { PrunedTables, PruneProgress } from "../../storage/rows/pruning.ts";
import { type LiveLine, openLiveLine } from "../terminal/live-line.ts";
import { barText } from "../terminal/screen.ts";

/** The rows that a run removed or would remove. */
export interface PruneResult {
  chain: string;
  /** First block whose raw rows are kept. */
  rawFrom: number;
  isDryRun: boolean;
  tables: PrunedTables;
}

/** Shows the progress of `quarry prune` on standard error. */
export class PruneView {
  readonly #stream: NodeJS.WriteStream;
  readonly #live: LiveLine | null;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
    this.#live = openLiveLine(stream);
  }

  update({ table, month, done, months }: PruneProgress): void {
    this.#live?.show(`pruning ${barText(done / months)} | ${table} ${month.slice(0, 4)}-${month.slice(4)}`);
  }

  interrupted(): void {
    this.stop();
    this.#stream.write("quarry: stopped; run the same command again to continue\n");
  }

  stop(): void {
    this.#live?.stop();
  }
}

export function printPruned(result: PruneResult, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(jsonOf(result))}\n` : textOf(result));
}

function jsonOf({ chain, rawFrom, isDryRun, tables }: PruneResult) {
  const freed = Object.entries(tables).map(([table, { rows, bytes }]) => [
    table,
    { rows, bytes: Math.round(bytes) },
  ]);
  const total = totalOf(tables);
  return {
    ...{ chain, raw_first_block: rawFrom, dry_run: isDryRun },
    rows: total.rows,
    bytes: Math.round(total.bytes),
    tables: Object.fromEntries(freed),
  };
}

function textOf({ chain, rawFrom, isDryRun, tables }: PruneResult): string {
  const lines = Object.entries(tables).map(([table, { rows, bytes }]) => {
    return `  ${chain}_${table}: ${rows} rows, about ${sizeText(bytes)}`;
  });
  const { rows, bytes } = totalOf(tables);
  const done = isDryRun ? "Would remove" : "Removed";
  const after = isDryRun ? "Nothing was removed." : `These tables are complete from block ${rawFrom} on.`;
  return `${done} ${rows} rows of blocks before ${rawFrom}, about ${sizeText(bytes)}:\n${lines.join("\n")}\n${after}\n`;
}

function totalOf(tables: PrunedTables): { rows: number; bytes: number } {
  const freed = Object.values(tables);
  return {
    rows: freed.reduce((sum, { rows }) => sum + rows, 0),
    bytes: freed.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function sizeText(bytes: number): string {
  return bytes < 10 * 2 ** 20 ? `${Math.round(bytes / 2 ** 10)} KiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}
