import { printTable } from "../print-table.ts";
import type { Agreement } from "./agreement.ts";
import type { ClientFigures } from "./clients/clients.ts";
import { type Measured, sidesOf } from "./measure.ts";
import type { SideName } from "./sides.ts";

type Cell = string | number;

const print = (line: string) => void process.stdout.write(`${line}\n`);

export function printAgreements(agreements: readonly Agreement[]): void {
  print("\nResponses of the sides to the same requests:\n");
  printTable(
    ["question", "bytes", "same bytes from the engine alone", "same values in PostgreSQL"],
    agreements.map(({ name, bytes, engine, postgres }) => [name, bytes, engine, postgres]),
  );
}

export function printCold(measured: readonly Measured[], sides: readonly SideName[]): void {
  print("\nThe first request about each key, one client, p50 / p95 / p99 ms:\n");
  const shown = sides.filter((name) => name !== "bare route");
  const rows = measured.map(({ question, cold }) => [
    question.name,
    ...shown.map((side) => times(cold[side])),
  ]);
  printTable(["question", ...shown], rows);
}

/**
 * Prints a table for each number of clients, with the times, requests per second and processor time of each
 * side.
 */
export function printLoads(measured: readonly Measured[], sides: readonly SideName[]): void {
  for (const clients of measured[0]?.byClients.keys() ?? []) {
    print(
      `\n${clients} client${clients === 1 ? "" : "s"}: p50 / p95 / p99 ms; requests/s; processor ms per request:\n`,
    );
    const rows = measured.map(({ question, byClients }) => {
      const figures = byClients.get(clients) ?? {};
      return [question.name, ...sides.map((side) => figuresText(figures[side]))];
    });
    printTable(["question", ...sides], rows);
  }
  printRefusals(measured);
}

function times(figures: ClientFigures | undefined): string {
  if (figures === undefined || figures.requests === 0) return "-";
  return [figures.p50, figures.p95, figures.p99].map(milliseconds).join(" / ");
}

function figuresText(figures: ClientFigures | undefined): string {
  if (figures === undefined || figures.requests === 0) return "-";
  const { perSecond, processorMs } = figures;
  const speed = perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond);
  return `${times(figures)}; ${speed}; ${milliseconds(processorMs)}`;
}

export function milliseconds(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

function printRefusals(measured: readonly Measured[]): void {
  for (const { question, byClients } of measured) {
    for (const [clients, figures] of byClients) {
      for (const [side, { refused, refusal }] of sidesOf(figures)) {
        if (refused > 0)
          print(`\n${question.name}, ${side}, ${clients} clients: ${refused} refused: ${refusal}`);
      }
    }
  }
}

export function printMemory(rows: readonly (readonly Cell[])[]): void {
  print("\nMemory, MB; shared memory counts once:\n");
  printTable(["process", "before", "after"], rows);
}
