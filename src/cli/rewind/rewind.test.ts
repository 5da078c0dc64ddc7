import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import { loadConfig } from "../../config/load-config.ts";
import { CHAIN, indexChain } from "../../doctor/support/stored-chain.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { copyOf } from "../../storage/extension/chain-copy.ts";
import { writeExtension } from "../../storage/extension/extension-log.ts";
import type { Engine } from "../../storage/store.ts";
import { openStore } from "../open-store.ts";
import { rewind } from "./rewind.ts";

const folder = temporaryFolder();
const data = `${folder.path}/rewound`;
const config = loadConfig(["chain", "data", ...SERVER_SETTING_NAMES, "logLevel"], {
  flags: { chain: CHAIN.name, data, logLevel: "silent" },
  env: {},
});
const chains = new Map([[CHAIN.name, CHAIN]]);

afterAll(() => folder.remove());

async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  const store = await openStore({ data });
  try {
    await store.openChain(CHAIN);
    return await use(store.engine);
  } finally {
    await store.close();
  }
}

const newestBlocks = () =>
  withEngine(async (engine) => {
    const commits = [CHAIN.name, copyOf(CHAIN.name)].map((name) => chainCommits(engine, name).committed());
    return (await Promise.all(commits)).map((commit) => commit?.blockNumber);
  });

it("also rolls back the copy of an unfinished extension, whose blocks must be those of the chain", async () => {
  await withEngine(async (engine) => {
    await indexChain(engine, { first: 20 });
    await writeExtension(engine, CHAIN.name, { firstBlock: 2, state: "building", tables: [] });
    await indexChain(engine, { name: copyOf(CHAIN.name) });
  });
  await rewind("40", { ...config, chains });
  expect(await newestBlocks()).toEqual([40, 40]);
});
