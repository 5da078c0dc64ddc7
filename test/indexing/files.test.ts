import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RLP } from "@ethereumjs/rlp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onAbort } from "../../src/lib/async/abort.ts";
import { BaseError } from "../../src/lib/error.ts";
import { toBytes } from "../../src/lib/hex.ts";
import { openEraSource } from "../../src/sources/files/era-source.ts";
import { FileChain } from "../../src/sources/files/file-chain.ts";
import type { FilePlace } from "../../src/sources/files/file-place.ts";
import { localFiles } from "../../src/sources/files/local-files.ts";
import { remoteFiles } from "../../src/sources/files/remote-files.ts";
import type { Source } from "../../src/sources/source.ts";
import { keccakHex } from "../../src/sources/verify/encoding.ts";
import { tableChecksumsApart } from "../support/engine/table-checksums.ts";
import { checksumList, serveFiles } from "../support/era-files/file-server.ts";
import { type WholeBlock, wholeBlocks, writeBundle } from "../support/era-files/whole-blocks.ts";
import { writeEra1, writeEre } from "../support/era-files/write-era.ts";
import { MAINNET } from "../support/nodes/bundles.ts";
import { type ReplayNode, startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type IndexRuns, openIndexRuns } from "../support/processes/index-runs.ts";
import { runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
const blocks = wholeBlocks(4);
const encoded = blocks.map((block) => block.encoded);
const FIRST = encoded[0]!.number;
const LAST = encoded.at(-1)!.number;
const HASH = blocks.at(-1)!.block.hash as `0x${string}`;

let node: ReplayNode;
let runs: IndexRuns;

beforeAll(async () => {
  node = await startReplayNode([writeBundle(folder.path, blocks)]);
  runs = await openIndexRuns();
});

afterAll(async () => {
  await node?.stop();
  await runs?.close();
  folder.remove();
});

/** Creates a folder with these files. */
function folderOf(name: string, files: Record<string, Uint8Array>): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
  return path;
}

async function overFiles(path: string, endpoint: Source, signal: AbortSignal): Promise<Source> {
  const places = await localFiles(path);
  return openEraSource({ places, chainId: 1, node: endpoint, anchor: null, stored: null, signal });
}

function indexFiles(path: string, to = LAST) {
  const over = (endpoint: Source, signal: AbortSignal) => overFiles(path, endpoint, signal);
  return runs.index({ urls: [node.url], from: FIRST, to, over });
}

describe("files of blocks", () => {
  it("give the same tables as an endpoint: in ere, in era1 of several files, and before an endpoint", async () => {
    const { tables } = await runs.index({ urls: [node.url], from: FIRST, to: LAST });
    expect(tables.dex_trades?.rows).toBeGreaterThan(100);
    const ere = folderOf("ere", { "all.ere": writeEre(encoded) });
    expect((await indexFiles(ere)).tables).toEqual(tables);
    const era1 = folderOf("era1", {
      "b.era1": writeEra1(encoded.slice(0, 1)),
      "a.era1": writeEra1(encoded.slice(1)),
    });
    expect((await indexFiles(era1)).tables).toEqual(tables);
    const half = folderOf("half", { "half.ere": writeEre(encoded.slice(0, 2)) });
    expect((await indexFiles(half)).tables).toEqual(tables);
  });

  it("are refused by name when the endpoint has another chain", async () => {
    const other = await startReplayNode([MAINNET]);
    const path = folderOf("other", { "fork.ere": writeEre(encoded) });
    const over = (endpoint: Source, signal: AbortSignal) => overFiles(path, endpoint, signal);
    const run = runs.index({ urls: [other.url], from: FIRST, to: LAST, over });
    await expect(run).rejects.toThrow(/fork\.ere belongs to another chain: its block \d+ has the hash 0x/);
    await other.stop();
  });

  it("are refused when a file between them is missing", async () => {
    const path = folderOf("gap", {
      "first.ere": writeEre(encoded.slice(0, 1)),
      "third.ere": writeEre(encoded.slice(2)),
    });
    await expect(indexFiles(path)).rejects.toThrow(
      `block ${FIRST + 1} is missing: no file before third.ere has it`,
    );
  });

  it("are refused by name when one does not continue the one before", async () => {
    const [, second] = wholeBlocks(2);
    const foreign = { ...encoded[1]!, ...withParent(second!, "11".repeat(32)) };
    const path = folderOf("break", {
      "first.ere": writeEre(encoded.slice(0, 1)),
      "second.ere": writeEre([foreign]),
    });
    const places = await localFiles(path);
    const { signal } = new AbortController();
    const opening = openEraSource({
      places,
      chainId: 1,
      node: null,
      anchor: foreign.hashText,
      stored: null,
      signal,
    });
    await expect(opening).rejects.toThrow(/second\.ere, block \d+: its parent hash 0x1111/);
  });
});

async function readAll(source: Source): Promise<void> {
  for await (const _ of source.blocks({ from: FIRST, to: LAST }, new AbortController().signal));
}

/** Position of the mix hash in a header. */
const MIX_HASH = 13;

/** Returns the last block with a changed mix hash. It still follows the genuine block before it. */
function forgedLast() {
  const last = encoded.at(-1)!;
  const fields = RLP.decode(last.header) as Uint8Array[];
  const header = Buffer.from(RLP.encode(fields.with(MIX_HASH, Buffer.alloc(32, 0x33))));
  return { ...last, header, hash: toBytes(keccakHex(header)) };
}

/** Returns a block with a changed parent, as if it were from another chain. */
function withParent({ encoded: block }: WholeBlock, parent: string) {
  const header = Buffer.from(block.header);
  Buffer.from(parent, "hex").copy(header, header.indexOf(encoded[0]!.hash));
  return { header, hashText: keccakHex(header), hash: toBytes(keccakHex(header)) };
}

describe("files of blocks without an endpoint", () => {
  const open = (
    path: string,
    options: { anchor?: `0x${string}`; chainId?: number; stored?: number } = {},
  ) => {
    const { anchor = HASH, chainId = 1, stored } = options;
    const before = stored === undefined ? null : { number: stored, hash: `0x${"ab".repeat(32)}` as const };
    return localFiles(path).then((places) =>
      openEraSource({
        ...{ places, chainId, node: null, anchor, stored: before },
        signal: new AbortController().signal,
      }),
    );
  };
  let path: string;

  beforeAll(() => {
    path = folderOf("anchored", { "one.ere": writeEre(encoded) });
  });

  it("are refused when only the last of them is of the anchored chain", async () => {
    const covering = folderOf("covering", {
      "x.ere": writeEre(encoded.slice(0, 2)),
      "y.ere": writeEre([encoded[2]!, forgedLast()]),
      "z.ere": writeEre(encoded.slice(3)),
    });
    await expect(open(covering)).rejects.toThrow(
      /y\.ere belongs to another chain: its block \d+ has the hash 0x.*the anchored block \d+ has 0x/,
    );
  });

  it("are refused when they overlap", async () => {
    const overlapping = folderOf("overlapping", {
      "a.ere": writeEre(encoded.slice(0, 3)),
      "b.ere": writeEre(encoded.slice(2)),
    });
    await expect(open(overlapping)).rejects.toThrow(
      `b.ere begins with block ${FIRST + 2}, which the previous file also has`,
    );
    const endpoint = indexFiles(overlapping);
    await expect(endpoint).rejects.toThrow("Give each block only once");
  });

  it("are refused when one is replaced after the headers were checked", async () => {
    const replaced = folderOf("replaced", { "one.ere": writeEre(encoded) });
    const source = await open(replaced);
    writeFileSync(join(replaced, "one.ere"), writeEre([...encoded.slice(0, 3), forgedLast()]));
    await expect(readAll(source)).rejects.toThrow(/one\.ere, block \d+: the file was replaced while/);
    writeFileSync(join(replaced, "one.ere"), writeEre(encoded.slice(0, 3)));
    await expect(readAll(source)).rejects.toThrow(/one\.ere, block \d+: the file was replaced while/);
    await source.close();
  });

  it("need the hash of the last block", async () => {
    const wrong: `0x${string}` = `0x${"12".repeat(32)}`;
    await expect(open(path, { anchor: wrong })).rejects.toThrow(
      /another chain: its block \d+ has the hash 0x.*--anchor is 0x1212/,
    );
    const source = await open(path);
    expect(await source.head()).toEqual({ number: LAST, hash: HASH });
    expect(await source.blockRef(FIRST - 1)).toEqual({
      number: FIRST - 1,
      hash: blocks[0]!.block.parentHash,
    });
    expect(await source.call([])).toBeNull();
    await source.close();
  });

  it("are refused when they are of a chain with another id", async () => {
    const source = await open(path, { chainId: 5 });
    await expect(readAll(source)).rejects.toThrow(
      /one\.ere, block \d+ .*it belongs to the chain with id 1, not 5/,
    );
    await source.close();
  });

  it("are refused when another chain is indexed", async () => {
    await expect(open(path, { stored: FIRST })).rejects.toThrow(
      /the files do not continue the indexed chain/,
    );
  });

  it("are refused under a name that is not theirs", async () => {
    const named = folderOf("named", { "mainnet-02159-01234567.ere": writeEre(encoded) });
    await expect(open(named)).rejects.toThrow(
      /mainnet-02159-01234567\.ere, name: the file begins with block/,
    );
  });
});

describe("files of blocks from a URL", () => {
  const names = ["mainnet-02159-00000001.ere", "mainnet-02160-00000002.ere"];
  const { signal } = new AbortController();

  it("are downloaded, resumed after a cut, checked and deleted after use", async () => {
    const files = { [names[0]!]: writeEre(encoded.slice(0, 2)), [names[1]!]: writeEre(encoded.slice(2)) };
    const web = await serveFiles({ ...files, "checksums_sha256.txt": checksumList(files) });
    const cache = folderOf("cache", { [`${names[0]}.part`]: files[names[0]!]!.subarray(0, 50_000) });
    const places = await remoteFiles(web.url, { cache, requireRoom: async () => {}, signal });
    expect(places.map(({ name }) => name)).toEqual(names);
    const [place] = places;
    const path = await place!.path(signal);
    expect(readFileSync(path)).toEqual(files[names[0]!]);
    expect(web.requests).toContain(`${names[0]} from 50000`);
    await place!.release();
    expect(existsSync(path)).toBe(false);
    await web.stop();
  });

  it("of an earlier process are used if their checksum is right, and fetched again otherwise", async () => {
    const files = { [names[0]!]: writeEre(encoded.slice(0, 2)) };
    const web = await serveFiles({ ...files, "checksums_sha256.txt": checksumList(files) });
    const damaged = Buffer.from(files[names[0]!]!).fill(0, 5_000, 5_100);
    const cache = folderOf("kept", { [names[0]!]: damaged });
    const placesOf = () => remoteFiles(web.url, { cache, requireRoom: async () => {}, signal });
    const [place] = await placesOf();
    expect(readFileSync(await place!.path(signal))).toEqual(files[names[0]!]);
    const [again] = await placesOf();
    expect(readFileSync(await again!.path(signal))).toEqual(files[names[0]!]);
    expect(web.requests.filter((request) => request.startsWith(names[0]!))).toHaveLength(1);
    await web.stop();
  });

  it("are not listed if the server does not respond, and the error says why", async () => {
    const web = await serveFiles({});
    await web.stop();
    const options = { cache: join(folder.path, "no-server"), requireRoom: async () => {}, signal };
    await expect(remoteFiles(web.url, options)).rejects.toThrow(
      /cannot read the list of files \S+: connect ECONNREFUSED/,
    );
  });

  it("are not downloaded while the disk has too little room", async () => {
    const files = { [names[0]!]: writeEre(encoded) };
    const web = await serveFiles({ ...files, "checksums_sha256.txt": checksumList(files) });
    const cache = join(folder.path, "no-room");
    const requireRoom = async () => {
      throw new BaseError("disk-full", "no room");
    };
    const [place] = await remoteFiles(web.url, { cache, requireRoom, signal });
    await expect(place!.path(signal)).rejects.toThrow("no room");
    await web.stop();
  });

  it("stop at once when their reader stops, including the next one", { timeout: 20_000 }, async () => {
    let isAborted = false;
    const local = await localFiles(folderOf("first-here", { "a.ere": writeEre(encoded.slice(0, 2)) }));
    const endless: FilePlace = {
      ...{ name: "b.ere", firstBlock: FIRST + 2, release: async () => {} },
      path: (stop) =>
        new Promise((_, reject) => {
          onAbort(stop, () => {
            isAborted = true;
            reject(stop.reason);
          });
        }),
    };
    const last = await localFiles(folderOf("last-here", { "c.ere": writeEre(encoded.slice(3)) }));
    const chain = await FileChain.of([...local, endless, ...last], signal);
    for await (const _ of chain.files(FIRST, LAST, signal)) break;
    expect(isAborted).toBe(true);
  });

  it("are refused when their checksum is wrong", async () => {
    const files = { [names[0]!]: writeEre(encoded) };
    const list = Buffer.from(`${"0".repeat(64)}  ${names[0]}\n${"1".repeat(64)}  ../../etc/passwd\n`);
    const web = await serveFiles({ ...files, "checksums_sha256.txt": list });
    const cache = join(folder.path, "bad-cache");
    const places = await remoteFiles(web.url, { cache, requireRoom: async () => {}, signal });
    expect(places).toHaveLength(1);
    await expect(places[0]!.path(signal)).rejects.toThrow(
      /02159-00000001\.ere has the checksum [0-9a-f]{64}, but/,
    );
    expect(readdirSync(cache)).toEqual([]);
    await web.stop();
  });
});

describe("quarry index --files", () => {
  it("leaves the same tables after kill -9 and a restart, and needs no --from", {
    timeout: 240_000,
  }, async () => {
    const files = folderOf("killed", { "all.ere": writeEre(encoded) });
    const args = (data: string) => [
      "index",
      "--files",
      files,
      "--anchor",
      HASH,
      "--data",
      data,
      "--batch-blocks",
      "1",
    ];
    const whole = join(folder.path, "whole");
    const finished = await runQuarry(args(whole));
    expect(finished.code, finished.stderr).toBe(0);
    expect(finished.stderr).toMatch(/block files are ready/);
    const killed = join(folder.path, "cut");
    const running = startQuarry(args(killed));
    await running.printed(/block files are ready/);
    await running.stop("SIGKILL");
    const again = await runQuarry(args(killed));
    expect(again.code, again.stderr).toBe(0);
    const tables = await tableChecksumsApart(whole, "eth");
    expect(tables.blocks?.rows).toBe(encoded.length);
    expect(await tableChecksumsApart(killed, "eth")).toEqual(tables);
  });

  it("creates no data directory if nothing proves the files", async () => {
    const data = join(folder.path, "nothing-proves");
    const { code, stderr } = await runQuarry(["index", "--files", folder.path, "--data", data]);
    expect([code, existsSync(data)], stderr).toEqual([2, false]);
  });

  it.each([
    [["--files", "/nowhere", "--anchor", HASH], /--files: \/nowhere cannot be read \(ENOENT\)/],
    [
      ["--files", "https://files.example/", "--anchor", HASH],
      /files from a URL .* Give an endpoint with --rpc/,
    ],
    [["--files", "here"], /Pass an endpoint with --rpc .*--anchor/],
    [["--rpc", "http://127.0.0.1:1", "--anchor", HASH], /--anchor applies only to --files, which is missing/],
  ])("explains what is wrong with %j", { timeout: 60_000 }, async (args, message) => {
    const { code, stderr } = await runQuarry(["index", ...args, "--data", join(folder.path, "unused")]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
  });
});
