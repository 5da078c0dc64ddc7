import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, startChild } from "./child.ts";
import type { ClientFigures, ClientLoad } from "./clients/clients.ts";
import type { ApiRequest } from "./clients/requests.ts";
import { OHLC, type ServingQuestion } from "./questions.ts";
import type { Side, SideName, Sides } from "./sides.ts";

type FiguresBySide = Partial<Record<SideName, ClientFigures>>;

export interface Measured {
  question: ServingQuestion;
  /** Figures of the first request about each key, with one client. */
  cold: FiguresBySide;
  /** Figures by number of clients. */
  byClients: Map<number, FiguresBySide>;
}

export interface Pace {
  clients: readonly number[];
  /** Warm-up before the measured time of each load. */
  warmUpSeconds: number;
  seconds: number;
  /** Maximum time for sending every request once, after the cold run. */
  visitSeconds: number;
}

/** Number of clients that send every request once. */
const VISITORS = 8;

/** Sides that keep the data of a request in memory. */
const REMEMBERING: readonly SideName[] = ["ours", "PostgreSQL"];

/** Sends the same requests to each side in turn, so a slow minute of the machine affects all sides. */
export class Measuring {
  readonly #pace: Pace;
  readonly #clients: Child = startChild(join(import.meta.dirname, "clients/clients.ts"));
  readonly #folder = mkdtempSync(join(tmpdir(), "quarry-bench-requests-"));

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  async measure(question: ServingQuestion, given: Sides): Promise<Measured> {
    const sides = await this.#withFasterForm(question, given);
    const cold: FiguresBySide = {};
    for (const [name, side] of sidesOf(sides)) {
      if (name !== "bare route") cold[name] = await this.#run(side, question, { clients: 1, isOnce: true });
      if (REMEMBERING.includes(name)) await this.#visit(side, question);
    }
    return { question, cold, byClients: await this.#loads(question, sides, this.#pace.clients) };
  }

  /** Measures a mix of requests without a cold run. */
  async measureMix(requests: ApiRequest[], sides: Sides, clients: readonly number[]): Promise<Measured> {
    const question = { name: "realistic mix", bar: {}, requests };
    return { question, cold: {}, byClients: await this.#loads(question, sides, clients) };
  }

  async stop(): Promise<void> {
    await this.#clients.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #loads(question: ServingQuestion, sides: Sides, counts: readonly number[]) {
    const byClients = new Map<number, FiguresBySide>();
    for (const clients of counts) {
      const figures: FiguresBySide = {};
      for (const [name, side] of sidesOf(sides)) {
        figures[name] = await this.#run(side, question, { clients, isOnce: false });
      }
      byClients.set(clients, figures);
    }
    return byClients;
  }

  /**
   * Chooses whether PostgreSQL or the process in front of it writes the JSON, by the number of requests that
   * each answers.
   */
  async #withFasterForm(question: ServingQuestion, sides: Sides): Promise<Sides> {
    const { PostgreSQL: side } = sides;
    const rows = side && { ...side, prefix: "/rows" };
    if (rows === undefined) return sides;
    // Only the process can fill the gaps between candles.
    if (question.requests[0]?.path.startsWith(OHLC) === true) return { ...sides, PostgreSQL: rows };
    const json = { ...rows, prefix: "/json" };
    // The first requests also load the tables into memory, so they are not compared.
    await this.#run(rows, question, { clients: 1, isOnce: true });
    const byRows = await this.#run(rows, question, { clients: 1, isOnce: false });
    const byJson = await this.#run(json, question, { clients: 1, isOnce: false });
    return { ...sides, PostgreSQL: byJson.perSecond > byRows.perSecond ? json : rows };
  }

  /**
   * Sends every request once. The preceding cold run has measured unknown keys. The loads that follow measure
   * known keys.
   */
  #visit(side: Side, question: ServingQuestion): Promise<ClientFigures> {
    const { visitSeconds: seconds } = this.#pace;
    return this.#run(side, question, { clients: VISITORS, isOnce: true, seconds });
  }

  #run(
    side: Side,
    { name, requests }: ServingQuestion,
    { clients, isOnce, seconds = this.#pace.seconds }: { clients: number; isOnce: boolean; seconds?: number },
  ): Promise<ClientFigures> {
    const { prefix, pids, parents = [], instead } = side;
    const port = requests[0]?.body === undefined ? side.port : (side.postPort ?? side.port);
    const warmUpSeconds = isOnce ? 0 : this.#pace.warmUpSeconds;
    const kind = instead === undefined ? "" : " bare";
    const file = join(this.#folder, `${name.replaceAll(/\W+/g, "-")}${kind}.json`);
    writeFileSync(file, JSON.stringify(instead === undefined ? requests : requests.map(instead)));
    const load: ClientLoad = { port, file, prefix, clients, warmUpSeconds, seconds, isOnce, pids, parents };
    return this.#clients.request<ClientFigures>(load);
  }
}

export function sidesOf<T>(sides: Partial<Record<SideName, T>>): [SideName, T][] {
  return (Object.entries(sides) as [SideName, T | undefined][]).flatMap(([name, side]) =>
    side === undefined ? [] : [[name, side] as [SideName, T]],
  );
}
