import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "./test/support/long-files-first.ts";

// Must be set before libuv starts its thread pool: with the default of 4, heavy queries delay light ones.
process.env.UV_THREADPOOL_SIZE = "16";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "sdk/**/*.test.ts",
      "devnet/**/*.test.ts",
      "test/**/*.test.ts",
      "explorer/src/**/*.test.ts",
    ],
    // The engine allows one data directory per process, so every test file gets a process of its own.
    pool: "forks",
    // Many tests wait for processes and timers: three at a time keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Where the machine is shared, a test may run out of time once; what is wrong fails twice. `.ci/run` names the former.
    retry: process.env.CI === "true" ? 1 : 0,
  },
});
