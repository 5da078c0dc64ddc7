import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { Random } from "../../serving/random.ts";
import { apiAt } from "../../support/processes/processes.ts";
import { Dice } from "../../support/simulation/dice.ts";
import { MovingChain } from "../../support/simulation/moving-chain.ts";
import { CHAIN, KilledServers, type WritingCommand } from "./killed-servers.ts";
import { RandomClient } from "./random-client.ts";
import { randomSubscriptions, type Subjects } from "./random-subscriptions.ts";
import { TRANSPORTS } from "./transports.ts";

interface KillRun {
  seed: number;
  clients: number;
  /** Number of times the chain grows, forks, returns to an abandoned fork or loses blocks. */
  moves: number;
  writing: WritingCommand;
  /** Number of kills of the process that writes. After each, nothing is written for half a minute. */
  writerKills: number;
}

interface KillOutcome {
  /** Differences between what clients have and what they should have, and errors of the processes. */
  differences: string[];
  figures: Record<string, number>;
  history: string;
}

/**
 * Number of blocks before the first client connects. The filters use tokens, pools and wallets of these
 * blocks.
 */
const FIRST_BLOCKS = 40;
const PAUSE_MS = 200;
const LOOK_MS = 20;
const MAX_LOOKS = 100;
const POOLS = 10;

/**
 * Runs clients over a chain that reorganizes while services are killed. Fails if a client's data differs from
 * the tables at the end, or if hardly anything happened to the clients.
 */
export async function expectTablesDespiteKills(run: KillRun): Promise<void> {
  const { differences, figures, history } = await runWithKills(run);
  const { seed, writing, clients } = run;
  console.info(`${writing}, seed ${seed}: ${JSON.stringify(figures)}`);
  expect(differences, `seed ${seed}\n${history}`).toEqual([]);
  const { resumes = 0, rollbacks = 0, compared = 0 } = figures;
  expect([resumes > clients, rollbacks > clients, compared > clients]).toEqual([true, true, true]);
}

async function runWithKills(run: KillRun): Promise<KillOutcome> {
  const dice = new Dice(run.seed);
  const chain = movingChain(dice);
  const servers = new KilledServers(dice);
  const clients = clientsOf(run, chain, servers);
  const running: Promise<void>[] = [];
  try {
    await servers.start(chain, run.writing);
    for (let move = 0; move < run.moves; move++) {
      for (const client of joining(clients, running.length, move / run.moves)) running.push(client.run());
      chain.move();
      if (dice.chance("kill", 0.1)) await servers.kill();
      if (isWriterKill(run, move)) await servers.killWriter();
      for (const client of clients) if (dice.chance("disconnect", 0.03)) client.disconnect();
      await pause(dice, () => clients.some((client) => client.isAt(chain.head.hash)));
    }
    chain.settle();
    await servers.settle();
    for (const client of clients) await client.reaches(chain.head.hash);
    const differences = await differencesOf(clients, servers);
    return { differences, figures: figuresOf(clients, chain, servers), history: chain.history.join("\n") };
  } finally {
    for (const client of clients) client.end();
    await Promise.all(running);
    await servers.stop();
  }
}

/**
 * After half of the moves, waits until the newest block has been streamed, so that the next fork removes
 * blocks that clients have. After the other moves, waits for a random time.
 */
async function pause(dice: Dice, isStreamed: () => boolean): Promise<void> {
  const isFollowed = dice.chance("followed", 0.5);
  if (!isFollowed) await sleep(dice.between("pause ms", 0, PAUSE_MS));
  // The number of looks is limited, because no block is streamed after a move that adds none, or while no
  // service is running.
  for (let looks = 0; isFollowed && !isStreamed() && looks < MAX_LOOKS; looks++) await sleep(LOOK_MS);
}

function movingChain(dice: Dice): MovingChain {
  const probabilities = {
    blocks: { empty: 0.1, failed: 0.1 },
    finalityBlocks: dice.pick("mix", [4, 8, 12, 20]),
    leastDepth: 0,
    grow: dice.pick("mix", [2, 3, 4]),
    fork: 1,
    flip: dice.pick("mix", [0, 0.3, 1]),
    cut: dice.pick("mix", [0, 0.2]),
  };
  return new MovingChain(dice, probabilities, FIRST_BLOCKS);
}

function clientsOf(run: KillRun, chain: MovingChain, servers: KilledServers): RandomClient[] {
  const random = new Random(run.seed);
  const subjects = subjectsOf(chain);
  return Array.from({ length: run.clients }, (_, i) => {
    const transport = TRANSPORTS[i % TRANSPORTS.length] ?? "sse";
    const seed = run.seed * 1_000 + i;
    const urls = () => servers.urls;
    return new RandomClient(randomSubscriptions(random, subjects), { chain: CHAIN, transport, seed, urls });
  });
}

function subjectsOf({ blocks }: MovingChain): Subjects {
  const pools = blocks.at(-1)?.pools.slice(0, POOLS) ?? [];
  const senders = blocks.flatMap(({ block }) => block.transactions.map(({ from }) => from));
  const wallets = [...new Set(senders)];
  return {
    tokens: [...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))],
    pools: pools.map(({ address }) => address),
    ...{ traders: wallets, wallets },
    tradeUsd: 1,
    transferUsd: 0.0005,
    intervals: ["1m", "1h", "1d"],
  };
}

/**
 * Returns the clients that join now: half of them at the beginning, the others one by one until the middle of
 * the run.
 */
function joining(clients: RandomClient[], joined: number, elapsed: number): RandomClient[] {
  const share = Math.min(1, 0.5 + elapsed);
  return clients.slice(joined, Math.ceil(share * clients.length));
}

function isWriterKill({ moves, writerKills }: KillRun, move: number): boolean {
  return writerKills > 0 && move % Math.ceil(moves / (writerKills + 1)) === 1 && move > 1;
}

async function differencesOf(clients: RandomClient[], servers: KilledServers): Promise<string[]> {
  const found = [...servers.errors];
  for (const [i, client] of clients.entries()) {
    const api = apiAt(servers.urls[i % servers.urls.length] ?? "");
    const { orphans } = client.reconstruction;
    const differences = await client.lastingDifferences(api);
    if (orphans.length > 0) differences.push(`no children of the blocks before: ${orphans}`);
    found.push(...differences.map((one) => `client ${i} (${TRANSPORTS[i % TRANSPORTS.length]}): ${one}`));
  }
  return found;
}

function figuresOf(clients: RandomClient[], chain: MovingChain, servers: KilledServers) {
  const sum = (of: (client: RandomClient) => number) => clients.reduce((all, one) => all + of(one), 0);
  const { kills, writerKills } = servers;
  return {
    clients: clients.length,
    blocks: chain.blocks.length,
    forks: chain.history.filter((move) => !move.startsWith("grow")).length,
    ...{ kills, writerKills },
    resumes: sum(({ resumes }) => resumes),
    rollbacks: sum(({ reconstruction }) => reconstruction.rollbacks),
    received: sum(({ reconstruction }) => reconstruction.received),
    compared: sum(({ reconstruction }) => reconstruction.rows),
    states: sum(({ reconstruction }) => reconstruction.states),
  };
}
