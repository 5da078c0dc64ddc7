import { describe, expect, it } from "vitest";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import { toBlock } from "../conversion/convert.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import type { RpcLog } from "../wire/rpc-block.ts";
import { bloomOf } from "./bloom.ts";
import { hashMatches } from "./header.ts";
import { verifyBlock } from "./verify-block.ts";

const EMPTY_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

const DEPOSIT: RpcLog = {
  address: "0xc083e9947cf02b8ffc7d3090ae9aea72df98fd47",
  topics: ["0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c"],
  data: "0x00000000000000000000000039fa8c5f2793459d6622857e7d9fbb4bd91766d30000000000000000000000000000000000000000000000056bc75e2d63100000",
  logIndex: 0,
};
const BLOOM = fromBytes(bloomOf([DEPOSIT]));

/** Block 1,000,000 of Ethereum, before Byzantium. The data is public. */
const MILLIONTH = {
  number: "0xf4240",
  hash: "0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e",
  parentHash: "0xb4fbadf8ea452b139718e2700dc1135cfc81145031c84b7ab27cd710394f7b38",
  sha3Uncles: EMPTY_UNCLES,
  miner: "0x2a65aca4d5fc5b5c859090a6c34d164135398226",
  stateRoot: "0x0e066f3c2297a5cb300593052617d1bca5946f0caa0635fdb1b85ac7e5236f34",
  transactionsRoot: "0x65ba887fcb0826f616d01f736c1d2d677bcabde2f7fc25aa91cfbc0b3bad5cb3",
  receiptsRoot: "0x20e3534540caf16378e6e86a2bf1236d9f876d3218fbc03958e6db1c634b2333",
  logsBloom: BLOOM,
  difficulty: "0xb69de81a22b",
  gasLimit: "0x2fefd8",
  gasUsed: "0xc444",
  timestamp: "0x56bfb415",
  extraData: "0xd783010303844765746887676f312e352e31856c696e7578",
  mixHash: "0x92c4129a0ae2361b452a9edeece55c12eceeab866316195e3d87fc1b005b6645",
  nonce: "0xcd4c55b941cf9015",
  transactions: [
    {
      hash: "0xea1093d492a1dcb1bef708f771a99a96ff05dcab81ca76c31940300177fcf49f",
      from: "0x39fa8c5f2793459d6622857e7d9fbb4bd91766d3",
      to: "0xc083e9947cf02b8ffc7d3090ae9aea72df98fd47",
      nonce: "0x15",
      gas: "0x1f8dc",
      gasPrice: "0x12bfb19e60",
      value: "0x56bc75e2d63100000",
      input: "0x",
      v: "0x1c",
      r: "0xa254fe085f721c2abe00a2cd244110bfc0df5f4f25461c85d8ab75ebac11eb10",
      s: "0x30b7835ba481955b20193a703ebc5fdffeab081d63117199040cdf5a91c68765",
    },
    {
      hash: "0xe9e91f1ee4b56c0df2e9f06c2b8c27c6076195a88a7b8537ba8313d80e6f124e",
      from: "0x32be343b94f860124dc4fee278fdcbd38c102d88",
      to: "0xdf190dc7190dfba737d7777a163445b7fff16133",
      nonce: "0x43eb",
      gas: "0xc350",
      gasPrice: "0xdf8475800",
      value: "0x6113a84987be800",
      input: "0x",
      v: "0x1c",
      r: "0x3b08715b4403c792b8c7567edea634088bedcd7f60d9352b1f16c69830f3afd5",
      s: "0x10b9afb67d2ec8b956f0e1dbc07eb79152904f3a7bf789fc869db56320adfe09",
    },
  ],
};

const RECEIPTS: Record<string, unknown>[] = [
  {
    transactionHash: MILLIONTH.transactions[0]?.hash,
    blockHash: MILLIONTH.hash,
    cumulativeGasUsed: "0x723c",
    gasUsed: "0x723c",
    logsBloom: BLOOM,
    root: "0x284d35bf53b82ef480ab4208527325477439c64fb90ef518450f05ee151c8e10",
    logs: [{ ...DEPOSIT, logIndex: "0x0" }],
  },
  {
    transactionHash: MILLIONTH.transactions[1]?.hash,
    blockHash: MILLIONTH.hash,
    cumulativeGasUsed: "0xc444",
    gasUsed: "0x5208",
    logsBloom: null,
    root: "0xfa28ef92787192b577a8628e520b546ab58b72102572e08191ddecd51d0851e5",
    logs: [],
  },
];

describe("verifyBlock, on block 1,000,000 of Ethereum", () => {
  const sentWith = (extra: object, receipts: object[] = RECEIPTS) => ({
    block: parseBlock({ ...MILLIONTH, ...extra }, 1_000_000),
    receipts: parseReceipts(receipts, 1_000_000),
  });
  const verdict = ({ block, receipts }: ReturnType<typeof sentWith>) => verifyBlock(block, receipts, 1);

  it("verifies it without transaction statuses", () => {
    const sent = sentWith({});
    expect(verdict(sent)).toBeNull();
    const { transactions } = toBlock(sent.block, sent.receipts, "proven");
    expect(transactions.map(({ status, gasUsed }) => [status, gasUsed])).toEqual([
      [null, 29_244],
      [null, 21_000],
    ]);
  });

  it("ignores a status that a node adds to the state root", () => {
    const sent = sentWith(
      {},
      RECEIPTS.map((receipt) => ({ ...receipt, status: "0x0" })),
    );
    expect(verdict(sent)).toBeNull();
    expect(toBlock(sent.block, sent.receipts, "proven").transactions.map(({ status }) => status)).toEqual([
      null,
      null,
    ]);
  });

  it("says what is missing when a node omits the state roots", () => {
    const without = RECEIPTS.map(({ root: _, ...receipt }) => ({ ...receipt, status: "0x1" }));
    expect(verdict(sentWith({}, without))).toMatchObject({
      kind: "unsupported",
      message: /before Byzantium/,
    });
  });

  it("accepts empty fields of later forks", () => {
    const later = {
      withdrawalsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
      blobGasUsed: "0x0",
      excessBlobGas: "0x0",
    };
    expect(verdict(sentWith({ ...later, author: MILLIONTH.miner, totalDifficulty: "0x1" }))).toBeNull();
  });

  it("rejects a base fee that is not part of the hash", () => {
    expect(verdict(sentWith({ baseFeePerGas: "0x0" }))).toMatchObject({ kind: "invalid" });
  });

  it("calls a wrong header invalid, not unsupported, when the node names the author", () => {
    expect(verdict(sentWith({ gasUsed: "0xc445", author: MILLIONTH.miner }))).toMatchObject({
      kind: "invalid",
    });
  });
});

/**
 * Block 49,835,559 of Base, after Jovian. It has 17 bytes of extra data, and a data footprint as its blob
 * gas.
 */
const BASE_HEADER = {
  number: "0x2f86e27",
  hash: "0x895f141deec0bbb80568d87ebe8d13c231f28391ea7b1ff2aa678affd2e5d607",
  parentHash: "0x52452c209c1a14ef202e6b9188ab07381c68f2a099fd6e7afd3e4a6a64ba7122",
  sha3Uncles: EMPTY_UNCLES,
  miner: "0x4200000000000000000000000000000000000011",
  stateRoot: "0x007e555fd979dcf9edfc6fc4e0efd6af9096ed8a696e2e409353fd39928da191",
  transactionsRoot: "0x04d4ed13a9c6caafc64336c246a49ce8662de229c9e718723372ab9d54b693ee",
  receiptsRoot: "0xdfa44590c85cb6287b0f2c020fa26ed2f8aaedb91997b2bc4d9df1f316a51cfa",
  logsBloom: [
    "0xc764ff4975765fcff1c77aa2c3c61ead3d73c67ab799a77f2aac8ff7b771a14f5fac1513f3fb7af9bfa6bdf78baeb5ff",
    "e379dc2967ff7be2fef207bf5bf7767e361db292dd57277a1ed79ebedd276fbc11c4b53fdedff8f837fae4a4ff56dd4e39",
    "caafbbcf9eb3d1370c9f17dd4bca7fdd2e5bdffb7436e1a8f3ce10c45b5b297bf3eb913d6f7bfdcd47fabcabfefffd61ad",
    "dff18b35d2bbdfdadf7745ed351a4369db87cfedfd9c9bf5b76bad5ae2fefa95bbf737ea2febf3ef7bedd7b262f6fd9f9a",
    "fbf7c3bf5b7e773d9ee3ff9eededbec1beff3f8aff0ef075c39eccffecfc3e797dbdff547db7c597ecf82e77f7bff77faf",
    "77e568deb35edcefaedd2eef",
  ].join(""),
  difficulty: "0x0",
  gasLimit: "0x17d78400",
  gasUsed: "0x11a9c829",
  timestamp: "0x6a7b3931",
  extraData: "0x01000000640000000500000000004c4b40",
  mixHash: "0x72fef725f99c8eff1b80fbd6472c196c86ee0c25c1f0bb26e5a33dc709ac7f9c",
  nonce: "0x0000000000000000",
  baseFeePerGas: "0x1aa66f4",
  withdrawalsRoot: "0x4da3ed209658970e2a8be1d1f4e08f535876b3e2c251b3db367b192735adddad",
  blobGasUsed: "0x8ef6218",
  excessBlobGas: "0x0",
  parentBeaconBlockRoot: "0xd8c62328bce3940d7712412dc7b41c08baa5e6839ca9feb0b64acba7e5f74388",
  requestsHash: "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  transactions: [],
};

describe("hashMatches, on a block of Base after Jovian", () => {
  const matches = (fields: object) => hashMatches(parseBlock(fields, 49_835_559));

  it("is true", () => {
    expect(toBytes(BASE_HEADER.logsBloom as Hex)).toHaveLength(256);
    expect(matches(BASE_HEADER)).toBe(true);
  });

  it("is true however a node writes or omits zero fields", () => {
    const { difficulty: _, nonce: __, ...without } = BASE_HEADER;
    expect(matches(without)).toBe(true);
    expect(matches({ ...BASE_HEADER, nonce: "0x0", difficulty: "0x00", excessBlobGas: "0x0000" })).toBe(true);
  });

  it("is false when a field is missing or has another value", () => {
    const { requestsHash: _, ...without } = BASE_HEADER;
    expect(matches(without)).toBe(false);
    expect(matches({ ...BASE_HEADER, extraData: "0x00000000640000000500000000004c4b40" })).toBe(false);
  });
});
