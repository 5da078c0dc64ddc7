import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runQuarry, START_SOURCE, startQuarry, temporaryFolder } from "../support/processes/processes.ts";
import { startCommandOnTerminal, startOnTerminal, type Terminal } from "../support/processes/terminal.ts";

const hasScript = (() => {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
})();

const ESCAPE = "\u001b";
const FIGURES =
  /block \d+ · (at the head|\d+ behind) · [\d.]+ blocks\/s · [\d.]+ trades\/s · [\d.]+ requests\/s, \d+ running · \d+ MiB/;

describe.skipIf(!hasScript)("the demo on a terminal", () => {
  const folder = temporaryFolder();
  let demo: Terminal;

  beforeAll(() => {
    const args = ["demo", "--days", "0.05", "--data", folder.path, "--port", "0"];
    demo = startOnTerminal(args);
  });
  afterAll(async () => {
    demo.interrupt();
    await demo.finished;
    folder.remove();
  });

  it("shows one line that changes in place, below all other output", async () => {
    await demo.printed(FIGURES, 150_000);
    const timesDrawn = () => demo.output().split(" running · ").length - 1;
    await expect.poll(timesDrawn, { timeout: 30_000 }).toBeGreaterThan(4);
    const [, url = ""] = demo.output().match(/API on (http:\S+)/) ?? [];
    await fetch(`${url}/v1/status`);
    await demo.printed(/(?:[1-9][\d.]*|0\.[1-9]) requests\/s/);
    const lines = demo.screen().map((line) => line.trimEnd());
    const withFigures = lines.filter((line) => FIGURES.test(line));
    expect(withFigures).toEqual([expect.stringMatching(new RegExp(`^${FIGURES.source}$`))]);
    expect(lines.at(-1)).toBe(withFigures[0]);
  }, 200_000);

  it("erases the line when it stops", async () => {
    demo.interrupt();
    const { code } = await demo.finished;
    expect(code).toBe(0);
    expect(
      demo
        .screen()
        .map((line) => line.trimEnd())
        .filter((line) => FIGURES.test(line)),
    ).toEqual([]);
    expect(demo.screen().at(-2)?.trimEnd()).toBe("· stopped");
  });
});

it.skipIf(!hasScript)("a live line is not broken by output of either stream", async () => {
  const script = [process.execPath, START_SOURCE, "test/support/processes/torn-line.ts"];
  const { finished, screen } = startCommandOnTerminal(script);
  expect((await finished).code).toBe(0);
  const lines = screen()
    .slice(1)
    .map((line) => line.trimEnd());
  const expected = Array.from({ length: 20 }, (_, i) => [
    expect.stringMatching(new RegExp(`^\\[[\\d:]+\\] INFO: logged ${i}$`)),
    expect.stringMatching(/^ +i: \d+$/),
    `printed ${i}`,
    `half ${i} and the other half`,
  ]).flat();
  expect(lines).toEqual([...expected, "the end", ""]);
});

it("the demo prints its figures as plain lines without a terminal", async () => {
  const folder = temporaryFolder();
  const demo = startQuarry(["demo", "--days", "0.05", "--data", folder.path, "--port", "0"]);
  await demo.printed(new RegExp(`\n· ${FIGURES.source}\n`), 150_000);
  await demo.stop("SIGINT");
  expect(demo.output()).not.toContain(ESCAPE);
  expect(demo.output()).not.toContain("\r");
  folder.remove();
}, 200_000);

describe.skipIf(!hasScript)("colours", () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const doctor = async (env: Record<string, string>) =>
    (await startOnTerminal(["doctor", "--data", folder.path, "--port", "0"], env).finished).stdout;

  it("are shown on a terminal, and not if they are disabled or not supported", async () => {
    expect(await doctor({ NO_COLOR: "", FORCE_COLOR: "1" })).toContain(`${ESCAPE}[32mok`);
    expect(await doctor({ NO_COLOR: "1" })).not.toContain(ESCAPE);
    expect(await doctor({ TERM: "dumb" })).not.toContain(ESCAPE);
    const piped = await runQuarry(["doctor", "--data", folder.path, "--port", "0"]);
    expect(piped.stdout).not.toContain(ESCAPE);
  }, 200_000);
});
