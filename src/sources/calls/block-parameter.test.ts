import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { endpoint, failure, open } from "../support/rpc-endpoints.ts";

/** Data of the calls that check whether an endpoint can make calls. */
const ABILITY_TEST = "0x";
const word = (hex: string): Hex => `0x${hex.padStart(64, "0")}`;

/**
 * Starts a node whose block can be replaced. Its calls return the hash of the block whose state they read.
 */
async function forkedNode(accepts: "hashes" | "no objects" | "anything") {
  const state = { canonical: word("aa"), isBehind: false };
  const parameters: unknown[] = [];
  const known = [word("aa"), word("bb")];
  const call = (block: string | { blockHash: Hex }) => {
    if (typeof block === "string" || accepts === "anything") {
      if (state.isBehind && block !== "latest") return new Error("header not found");
      return state.canonical;
    }
    if (accepts === "no objects") return new Error("invalid argument 1: cannot unmarshal object");
    if (state.isBehind || !known.includes(block.blockHash)) return new Error("header for hash not found");
    return block.blockHash;
  };
  const { url } = await endpoint(({ method, params }) => {
    if (method === "eth_chainId") return "0x1";
    if (method === "eth_getCode") return "0x";
    if (method === "eth_call") {
      if ((params[0] as { data: Hex }).data !== ABILITY_TEST) parameters.push(params[1]);
      return call(params[1] as Parameters<typeof call>[0]);
    }
    if (state.isBehind && params[0] !== "latest") return null;
    return { number: "0x64", hash: state.canonical, timestamp: "0x1" };
  });
  return { url, state, parameters };
}

describe("contract calls for a block that is named by its hash", () => {
  const to: Hex = `0x${"22".repeat(20)}`;
  const call = { to, data: "0x1234" as Hex, block: { number: 100, hash: word("aa") } };
  const byHash = { blockHash: word("aa"), requireCanonical: false };

  it("read its state, also after a reorg gave its number to another block", async () => {
    const node = await forkedNode("hashes");
    const { source } = await open([node.url]);
    await source.head();
    expect(await source.call([call])).toEqual([word("aa")]);
    node.state.canonical = word("bb");
    expect(await source.call([call])).toEqual([word("aa")]);
    expect(await source.callAt({ number: 100, hash: word("aa") }, [call])).toEqual([word("aa")]);
    expect(node.parameters).toEqual([byHash, byHash, byHash]);
  });

  it.each(["no objects", "anything"] as const)(
    "name it by its number at an endpoint that accepts %s, and record no other block's state",
    async (accepts) => {
      const node = await forkedNode(accepts);
      const { source, infos } = await open([node.url]);
      await source.head();
      for (let i = 0; i < 3; i++) expect(await source.call([call])).toEqual([word("aa")]);
      expect(infos.filter((info) => info.includes("EIP-1898"))).toHaveLength(1);
      node.state.canonical = word("bb");
      const error = await failure(source.call([call]));
      expect(error).toMatchObject({ code: "endpoint", retryable: true });
      expect(error.message).toContain(`block 100 is no longer ${word("aa")}`);
      expect(node.parameters).toEqual(["0x64", "0x64", "0x64", "0x64"]);
      expect(await source.callAt({ number: 100, hash: word("aa") }, [call])).toBeNull();
    },
  );

  it("fail at once where the node no longer has the block, so that its successor is fetched", async () => {
    const node = await forkedNode("hashes");
    const { source } = await open([node.url]);
    await source.head();
    const replaced = { ...call, block: { number: 100, hash: word("cc") } };
    expect((await failure(source.call([replaced]))).message).toContain("is no longer");
    await source.call([call]);
    expect((await failure(source.call([replaced]))).message).toContain("is no longer");
    expect(node.parameters.filter((parameter) => parameter === "latest")).toEqual([]);
  });

  it("have no results in its state once the chain is shorter, and leave the endpoint in use", async () => {
    const node = await forkedNode("hashes");
    const { source } = await open([node.url]);
    await source.head();
    await source.call([call]);
    node.state.isBehind = true;
    const removed = { number: 101, hash: word("cc") };
    expect(await source.callAt(removed, [call])).toBeNull();
    expect(node.parameters).toHaveLength(2);
    expect(source.endpoints()[0]).toMatchObject({ failures: 0 });
    node.state.isBehind = false;
    expect(await source.callAt({ number: 100, hash: word("aa") }, [call])).toEqual([word("aa")]);
  });

  it("have results on which both endpoints agree, also if one does not have the block yet", async () => {
    const nodes = await Promise.all([forkedNode("hashes"), forkedNode("hashes")]);
    for (const behind of nodes) {
      for (const node of nodes) node.state.isBehind = false;
      const { source } = await open(
        nodes.map(({ url }) => url),
        { limits: { minRetryDelayMs: 20 } },
      );
      await source.head();
      await source.call([call]);
      behind.state.isBehind = true;
      const before = behind.parameters.length;
      const results = source.callAt({ number: 100, hash: word("aa") }, [call]);
      await sleep(100);
      behind.state.isBehind = false;
      expect(await results).toEqual([word("aa")]);
      expect(behind.parameters.length).toBeGreaterThan(before + 1);
    }
  });

  it("are made at the endpoint that has it", async () => {
    const nodes = await Promise.all([forkedNode("no objects"), forkedNode("no objects")]);
    const [other] = nodes;
    other.state.canonical = word("bb");
    for (const urls of [nodes, nodes.toReversed()]) {
      const { source } = await open(urls.map(({ url }) => url));
      await source.head();
      for (let i = 0; i < 3; i++) expect(await source.call([call])).toEqual([word("aa")]);
    }
  });

  it("wait for an endpoint that does not have it yet", async () => {
    const node = await forkedNode("hashes");
    const { source } = await open([node.url], { limits: { minRetryDelayMs: 20 } });
    await source.head();
    node.state.isBehind = true;
    const results = source.call([call]);
    setTimeout(() => {
      node.state.isBehind = false;
    }, 60);
    expect(await results).toEqual([word("aa")]);
  });
});
