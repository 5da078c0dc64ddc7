import { afterAll, beforeAll, expect, it } from "vitest";
import { startQuarry } from "../../../test/support/processes/processes.ts";
import { extend, StoredChain } from "../../backups/support/stored-chain.ts";

const stored = new StoredChain();

beforeAll(() => stored.write((store) => extend(store, 1)));
afterAll(() => stored.remove());

it.each(["SIGINT", "SIGTERM"] as const)("ends without an error when it is stopped by %s", async (signal) => {
  const running = startQuarry(["doctor", "--data", stored.data, "--port", "0"]);
  await running.printed(/any free port/);
  expect(await running.stop(signal)).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining("healthy"),
    stderr: "quarry: stopped before everything was checked; run the same command again\n",
  });
});
