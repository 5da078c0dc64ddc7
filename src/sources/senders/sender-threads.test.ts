import { expect, it } from "vitest";
import { startProcess } from "../../../test/support/processes/processes.ts";

const MODULE = new URL("./sender-threads.ts", import.meta.url).href;
const SCRIPT = `
const { SenderThreads } = await import(${JSON.stringify(MODULE)});
const threads = new SenderThreads(1);
const invalid = { hash: new Uint8Array(32), r: new Uint8Array(32), s: new Uint8Array(32), recoveryId: 0 };
await threads.recover([invalid]).catch((error) => console.log(error.message));
`;

it("keeps the process alive until a response has arrived, and no longer", async () => {
  const running = startProcess(process.execPath, ["--import", "tsx", "--input-type=module", "-e", SCRIPT]);
  const timer = setTimeout(() => running.child.kill("SIGKILL"), 30_000);
  const { code, stdout } = await running.finished;
  clearTimeout(timer);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "transaction 0 has an invalid signature\n" });
});
