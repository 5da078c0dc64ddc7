import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Load, LoadResult } from "./http-load.ts";

export interface LoadProcess {
  run(load: Load): Promise<LoadResult>;
  stop(): void;
}

/** Starts a process for loads. It runs one load at a time. */
export function startLoad(): LoadProcess {
  const child = fork(join(import.meta.dirname, "http-load.ts"), { execArgv: ["--import", "tsx"] });
  return {
    async run(load) {
      child.send(load);
      const [result] = (await once(child, "message")) as [LoadResult];
      return result;
    },
    stop: () => child.disconnect(),
  };
}
