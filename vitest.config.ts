import { configDefaults, defineConfig } from "vitest/config";
import { SLOW_TESTS, SlowFilesFirst } from "./test/support/slow-files.ts";

// Must be set before libuv starts its thread pool: with the default of 4, heavy queries delay light ones.
process.env.UV_THREADPOOL_SIZE = "16";

const TESTS = [
  "src/**/*.test.ts",
  "sdk/**/*.test.ts",
  "devnet/**/*.test.ts",
  "test/**/*.test.ts",
  "explorer/src/**/*.test.ts",
];
const LONG_TESTS = "**/*.long.test.ts";
/**
 * Files share processes, which saves starting Node.js and the engine 380 times: for each file, some four seconds of
 * processor time. A process has one data directory open at a time, so each file closes its engine.
 */
const ISOLATED = false;

export default defineConfig({
  test: {
    // `npm test` runs the quick ones, `npm run test:all` also the slow ones, and the long ones are for hours:
    // `npm run test:long`. A file that is named on the command line runs whichever it is.
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: TESTS,
          exclude: [...configDefaults.exclude, ...SLOW_TESTS, LONG_TESTS],
          isolate: ISOLATED,
        },
      },
      // On a shared machine a test that starts many processes takes minutes.
      {
        extends: true,
        test: { name: "slow", include: [...SLOW_TESTS], isolate: ISOLATED, testTimeout: 180_000 },
      },
      { extends: true, test: { name: "long", include: [LONG_TESTS] } },
    ],
    // Files in one process run one after the other: the engine allows one data directory at a time.
    pool: "forks",
    // Many tests wait for processes and timers: four at a time keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: SlowFilesFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a shared machine, a poll may get its first answer after a second, the default.
    expect: { poll: { timeout: 10_000 } },
    // A test may run out of time once on a shared machine; an error fails twice. `.ci/run` names what passed at the second try.
    retry: process.env.CI === "true" ? 1 : 0,
  },
});
