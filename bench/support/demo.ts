import { startQuarry, temporaryFolder } from "../../test/support/processes/processes.ts";

export interface RunningDemo {
  url: string;
  pid: number;
  /** Stops the demo and removes its data. */
  stop(): Promise<void>;
}

const START_MS = 600_000;

/** Starts a demo in a temporary folder, and waits until its history is indexed. */
export async function startDemo(days: number): Promise<RunningDemo> {
  const folder = temporaryFolder();
  const running = startQuarry(["demo", "--days", String(days), "--data", folder.path, "--port", "0"]);
  const [, url = ""] = await running.printed(/API on (http:\S+)/);
  await running.printed(/Ctrl-C stops it/, START_MS);
  const stop = async () => {
    await running.stop();
    folder.remove();
  };
  return { url, pid: running.child.pid ?? 0, stop };
}
