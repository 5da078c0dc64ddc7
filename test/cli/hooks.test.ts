import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openForWriting, openStore } from "../../src/cli/open-store.ts";
import { commitTrades, ETH, hexOf } from "../../src/reads/support/market.ts";
import { type Running, runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";
import { isSigned, startReceiver, status, type TestReceiver } from "../webhooks/support/receiver.ts";

const folder = temporaryFolder();
const data = join(folder.path, "data");
/** An allowed target. Nothing is sent to it. */
const TARGET = "https://example.org/hook";
const RULE = '{"type":"trades","min_usd":1000}';

let receiver: TestReceiver;

beforeAll(async () => {
  const store = await openStore({ data });
  const chain = await openForWriting(store.engine, ETH);
  await commitTrades(chain, [{ token: hexOf(9), at: 1_704_412_800, price: 1 }], { firstBlock: 1000 });
  await store.close();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  folder.remove();
});

const ENV = { QUARRY_DATA: data, QUARRY_HOOK_HOSTS: "127.0.0.1" };
const hooks = (args: string[]) => runQuarry(["hooks", ...args], ENV);
const listed = async () => JSON.parse((await hooks(["list", "--json"])).stdout).hooks;

describe("quarry hooks", () => {
  let service: Running | null = null;

  afterAll(async () => {
    await service?.stop();
  });

  it("adds a webhook without a service, and shows its secret once", async () => {
    const { code, stdout } = await hooks(["add", receiver.url, "--rule", RULE]);
    const [, id, secret = ""] = /^(hook_[0-9a-f]{16})\nsecret: (whsec_\S{43})\n/.exec(stdout) ?? [];
    expect([code, typeof id]).toEqual([0, "string"]);
    const { stdout: list } = await hooks(["list"]);
    expect(list).toMatch(new RegExp(`${id} +active +eth +- +trades +${receiver.url}`));
    expect(list).not.toContain(secret);
  }, 60_000);

  it("reaches the database of a running service, which begins to deliver", async () => {
    service = startQuarry(["serve", "--data", data, "--port", "0"], { QUARRY_HOOK_HOSTS: "127.0.0.1" });
    await service.printed(/serving on/);
    const added = await hooks(["add", receiver.url, "--rule", RULE, "--rule", '{"type":"pools"}', "--json"]);
    const { id, secret, rules } = JSON.parse(added.stdout);
    expect(rules).toEqual([JSON.parse(RULE), { type: "pools" }]);
    const tested = await hooks(["test", id]);
    expect([tested.code, tested.stdout]).toEqual([0, `The receiver of ${id} accepted the test.\n`]);
    const [request] = await receiver.count(1);
    expect(request?.body).toMatchObject({ event: "test", webhook: id, chain: "eth", data: {} });
    expect(request && isSigned(request, secret, Date.now())).toBe(true);
    receiver.answers.push(status(500));
    const failed = await hooks(["test", id, "--json"]);
    expect([failed.code, JSON.parse(failed.stdout)]).toEqual([
      1,
      { id, delivered: false, error: "the receiver responded with status 500" },
    ]);
    // The service has stored the position of both webhooks, which is the newest block.
    const all = await listed();
    expect(all.map(({ position }: { position: string }) => position?.split(":")[1])).toEqual([
      "1000",
      "1000",
    ]);
    await hooks(["pause", id]);
    expect((await listed())[1]).toMatchObject({ id, state: "paused", failing_since: null });
    await hooks(["remove", id]);
    expect(await listed()).toHaveLength(1);
  }, 180_000);

  it.each([
    [["add", TARGET, "--rule", '{"type":"trade"}'], /got the type "trade", expected one of trades/],
    [["add", TARGET, "--rule", "{type:trades}"], /--rule: "\{type:trades\}" is not JSON/],
    [["add", "http://169.254.169.254/latest", "--rule", RULE], /169.254.169.254 is not public.*--hook-hosts/],
    [["add", TARGET, "--rule", RULE, "--chain", "moon"], /Invalid parameter chain: got "moon"/],
    [["add", TARGET], /got 0 subscriptions/],
    [["add"], /the URL of a receiver is missing\. Example: quarry hooks add https:/],
    [["remove", "hook_1"], /there is no webhook "hook_1"/],
    [["list", "--rule", RULE], /--rule applies only to quarry hooks add, not to list\./],
    [["dance"], /Allowed choices are add, list, remove, test, pause, resume/],
  ])("%j prints what to do, and exits with 2", async (args, message) => {
    const { code, stdout, stderr } = await runHere(["hooks", ...args], ENV);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([code, stdout]).toEqual([2, ""]);
  });
});
