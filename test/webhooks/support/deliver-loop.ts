/**
 * Indexes and delivers until it is killed, or until a block is delivered. After every fourth block, rolls
 * back two blocks: alternately right after the fourth block is stored and after it is delivered.
 * Usage: deliver-loop.ts DIRECTORY URL BLOCK
 */
import { setImmediate as turn } from "node:timers/promises";
import { Registry } from "prom-client";
import { systemClock } from "../../../src/lib/async/clock.ts";
import { commitTrades, ETH, hashOf, hexOf } from "../../../src/reads/support/market.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import { WebhookRecords } from "../../../src/webhooks/records/webhook-records.ts";
import { serveWriter, Writer } from "../../streams/support/stream-service.ts";
import { addWebhook, deliveryOf } from "./delivery.ts";

const [directory = "", url = "", last = ""] = process.argv.slice(2);
const FIRST = 1000;
const timeOf = (block: number) => 1_700_000_040 + 12 * (block - FIRST);

const engine = await openEmbeddedEngine({ path: directory });
const store = await openChainStore(engine, ETH.name, {});
const writer = new Writer();
store.follow(writer);
let newest = await store.committed();
/** Names the current fork. After each start, blocks have different hashes than before. */
let fork = (newest?.sequence ?? 0) + 1;
const forks = new Map<number, number>();

async function commitBlock(block: number): Promise<void> {
  const trade = { token: hexOf(9), at: timeOf(block), price: block };
  newest = await commitTrades(store, [trade], { firstBlock: block, fork });
  forks.set(block, fork);
}

async function rollBackTo(block: number): Promise<void> {
  const known = forks.get(block);
  if (known === undefined) return;
  newest = await store.rollback({ number: block, hash: hashOf(block, known), timestamp: timeOf(block) });
  fork = newest.sequence + 1;
}

async function delivery(block: number): Promise<void> {
  while (delivered() !== block) await turn();
}

if (newest === null) await commitBlock(FIRST);
const service = await serveWriter(engine, store, writer);
const records = new WebhookRecords(engine);
if ((await records.all()).length === 0) await addWebhook(engine, url, [{ type: "trades" }]);
const deliverer = deliveryOf(engine, service, { clock: systemClock, registry: new Registry() });
deliverer.start();
const delivered = () => deliverer.runners[0]?.block ?? null;
while (delivered() === null) await turn();
for (let round = 0; (newest?.blockNumber ?? 0) < Number(last); round++) {
  await commitBlock((newest?.blockNumber ?? 0) + 1);
  if (round % 8 === 7) await delivery(newest?.blockNumber ?? 0);
  if (round % 4 === 3) await rollBackTo((newest?.blockNumber ?? 0) - 2);
}
await delivery(Number(last));
await deliverer.close();
await service.stop();
await engine.close();
process.exit();
