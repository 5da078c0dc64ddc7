import { type ChildProcess, fork } from "node:child_process";
import { request } from "node:http";

export interface SqlQuestion {
  port: number;
  query: string;
  format: string;
}

export interface SqlAnswered {
  status: number;
  bytes: number;
  milliseconds: number;
}

/** Sends requests from a separate process, so the client's cost does not count as the service's. */
export interface SqlClient {
  ask(question: SqlQuestion): Promise<SqlAnswered>;
  stop(): void;
}

export function startSqlClient(): SqlClient {
  const child: ChildProcess = fork(import.meta.filename, ["client"], { execArgv: ["--import", "tsx"] });
  const waiting = new Map<number, (answered: SqlAnswered) => void>();
  let count = 0;
  child.on("message", ({ id, answered }: { id: number; answered: SqlAnswered }) => {
    waiting.get(id)?.(answered);
    waiting.delete(id);
  });
  return {
    ask: (question) =>
      new Promise((resolve) => {
        waiting.set(++count, resolve);
        child.send({ id: count, question });
      }),
    stop: () => child.disconnect(),
  };
}

function ask({ port, query, format }: SqlQuestion): Promise<SqlAnswered> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const asked = request({ port, method: "POST", path: "/v1/sql", headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, bytes, milliseconds: performance.now() - started }),
      );
    });
    asked.on("error", reject);
    asked.end(JSON.stringify({ query, format }));
  });
}

if (process.argv[2] === "client") {
  process.on("message", async ({ id, question }: { id: number; question: SqlQuestion }) => {
    process.send?.({ id, answered: await ask(question) });
  });
}
