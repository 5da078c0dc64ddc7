import { RLP } from "@ethereumjs/rlp";
import { getContractAddress, keccak256, parseTransaction, type TransactionSerializable, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { type Hex, toBytes } from "../../lib/hex.ts";
import { bloomOf, unionOf } from "../verify/bloom.ts";
import { type RlpItem, rlp } from "../verify/encoding.ts";
import { headerFieldNames } from "../verify/header.ts";
import { orderedRoot } from "../verify/ordered-root.ts";
import { decodeTransaction } from "./archived-transaction.ts";
import { proveStored } from "./prove-stored.ts";
import { recoverSenders } from "./senders.ts";

const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
const TO: Hex = `0x${"b0".repeat(20)}`;
const [WORD, OTHER_WORD]: [Hex, Hex] = [`0x01${"11".repeat(31)}`, `0x01${"22".repeat(31)}`];
const WORDS = [WORD, OTHER_WORD];
const call = { to: TO, nonce: 300, gas: 90_000n, value: 5n * 10n ** 18n, data: "0xa9059cbb" as Hex };
const accessList = [{ address: TO, storageKeys: WORDS }];
const fees = { maxFeePerGas: 40n * 10n ** 9n, maxPriorityFeePerGas: 2n * 10n ** 9n };
const authorization = { address: TO, chainId: 1, nonce: 0, yParity: 1, r: WORD, s: OTHER_WORD } as const;

const TRANSACTIONS: [string, TransactionSerializable][] = [
  ["legacy, without EIP-155", { ...call, type: "legacy", gasPrice: 7n }],
  [
    "legacy, of the first nonce and without value",
    { type: "legacy", chainId: 1, gasPrice: 7n, gas: 21_000n },
  ],
  ["legacy, of a chain with a large id", { ...call, type: "legacy", chainId: 4_294_967_295, gasPrice: 7n }],
  ["of type 1", { ...call, type: "eip2930", chainId: 1, gasPrice: 7n, accessList }],
  ["of type 2", { ...call, ...fees, type: "eip1559", chainId: 1, accessList }],
  [
    "of type 3",
    { ...call, ...fees, type: "eip4844", chainId: 1, maxFeePerBlobGas: 9n, blobVersionedHashes: WORDS },
  ],
  ["of type 4", { ...call, ...fees, type: "eip7702", chainId: 1, authorizationList: [authorization] }],
  ["with the largest gas limit", { ...call, type: "legacy", gasPrice: 7n, gas: 2n ** 64n - 1n }],
];

const signed = await Promise.all(
  TRANSACTIONS.map(([, transaction]) => account.signTransaction(transaction) as Promise<Hex>),
);

describe("a stored transaction", () => {
  it.each(TRANSACTIONS.map(([name], i) => [name, signed[i] ?? "0x"] as const))(
    "%s is read as viem reads it, and its sender is the one that signed it",
    (_, encoded) => {
      const expected = parseTransaction(encoded);
      const transaction = decodeTransaction(toBytes(encoded), 0);
      expect(transaction).toMatchObject({
        hash: keccak256(encoded),
        chainId: expected.chainId === undefined ? null : BigInt(expected.chainId),
        nonce: expected.nonce ?? 0,
        gasLimit: expected.gas ?? 0n,
        to: expected.to ?? null,
        value: expected.value ?? 0n,
        input: expected.data ?? "0x",
        gasPrice: expected.gasPrice ?? null,
        maxFeePerGas: expected.maxFeePerGas ?? null,
        maxPriorityFeePerGas: expected.maxPriorityFeePerGas ?? null,
        blobs: expected.blobVersionedHashes?.length ?? 0,
      });
      expect(recoverSenders([transaction])).toEqual([account.address.toLowerCase()]);
    },
  );

  it.each([
    ["of an unknown type", Uint8Array.of(5, 0xc0), "transactions of type 0x5 are not supported"],
    ["that is empty", new Uint8Array(), "transaction 3 is empty"],
    ["with another number of fields", rlp([new Uint8Array()]), "transaction 3 has 1 items, expected 9"],
    [
      "with a v that no signature has",
      legacyWith(Uint8Array.of(29)),
      "transaction 3 has a signature with v = 29",
    ],
  ])("%s is refused", (_, encoded, message) => {
    expect(() => decodeTransaction(encoded, 3)).toThrow(message);
  });
});

function legacyWith(v: Uint8Array): Uint8Array {
  const items = RLP.decode(toBytes(signed[0] ?? "0x")) as Uint8Array[];
  return rlp(items.map((item, i) => (i === 6 ? v : item)));
}

interface Content {
  number: number;
  transactions: readonly Hex[];
  receipts: readonly Uint8Array[];
  uncles?: RlpItem[];
  /** Header fields that do not follow from the transactions, receipts and uncles. */
  fields: Readonly<Record<string, Hex>>;
}

/** Encodes a block whose receipts have no logs. */
function stored({ number, transactions, receipts, uncles = [], fields }: Content) {
  const encoded = transactions.map(toBytes);
  const bloom = unionOf(receipts.map(() => bloomOf([])));
  const header: Record<string, Hex> = {
    parentHash: `0x${"01".repeat(32)}`,
    sha3Uncles: keccak256(rlp(uncles)) as Hex,
    miner: TO,
    stateRoot: `0x${"02".repeat(32)}`,
    transactionsRoot: orderedRoot(encoded),
    receiptsRoot: orderedRoot(receipts),
    logsBloom: toHex(bloom),
    number: toHex(number),
    gasLimit: "0x1c9c380",
    gasUsed: "0xa410",
    timestamp: "0x65000000",
    extraData: "0x",
    mixHash: `0x${"00".repeat(32)}`,
    nonce: "0x0000000000000000",
    ...fields,
  };
  const names = headerFieldNames();
  const last = names.findLastIndex(({ name }) => header[name] !== undefined);
  const items = names.slice(0, last + 1).map(({ name, isQuantity }) => {
    const digits = (header[name] ?? "0x").slice(2);
    const shortest = isQuantity ? digits.replace(/^0+/, "") : digits;
    return Buffer.from(shortest.length % 2 === 0 ? shortest : `0${shortest}`, "hex");
  });
  const inBody = encoded.map((tx) => ((tx[0] ?? 0) > 0x7f ? (RLP.decode(tx) as RlpItem) : tx));
  const inReceipts = receipts.map((receipt) =>
    (receipt[0] ?? 0) > 0x7f ? (RLP.decode(receipt) as RlpItem) : receipt,
  );
  const body: RlpItem[] = fields.withdrawalsRoot === undefined ? [inBody, uncles] : [inBody, uncles, []];
  return { number, header: rlp(items), body: rlp(body), receipts: rlp(inReceipts) };
}

function receipt(type: number, outcome: Uint8Array, gas: number): Uint8Array {
  const payload = rlp([outcome, Buffer.from(gas.toString(16).padStart(6, "0"), "hex"), bloomOf([]), []]);
  return type === 0 ? payload : Buffer.concat([Uint8Array.of(type), payload]);
}

const ONE = Uint8Array.of(1);
const ROOT = new Uint8Array(32).fill(3);
const context = { form: "full", chainId: 1, parent: null } as const;

describe("a stored block", () => {
  it("before Byzantium has receipts with state roots, and may have uncles", async () => {
    const creation = await account.signTransaction({
      type: "legacy",
      nonce: 1,
      gas: 50_000n,
      gasPrice: 7n,
      data: "0x60",
    });
    const block = proveStored(
      stored({
        number: 1_000_000,
        transactions: [signed[0] ?? "0x", creation as Hex],
        receipts: [receipt(0, ROOT, 21_000), receipt(0, ROOT, 71_000)],
        uncles: [[ROOT, ONE]],
        fields: { difficulty: "0x400" },
      }),
      context,
    );
    expect(block).toMatchObject({ number: 1_000_000, baseFeePerGas: null, proof: "block", origin: "era" });
    expect(block.transactions).toMatchObject([
      { status: null, gasUsed: 21_000, gasPrice: 7n, fee: 147_000n, contractAddress: null },
      {
        status: null,
        gasUsed: 50_000,
        to: null,
        contractAddress: getContractAddress({ from: account.address, nonce: 1n }).toLowerCase(),
      },
    ]);
  });

  it("with blobs counts their fee, at the price that its header gives", () => {
    const block = proveStored(
      stored({
        number: 19_500_000,
        transactions: [signed[5] ?? "0x", signed[6] ?? "0x"],
        receipts: [receipt(3, ONE, 50_000), receipt(4, new Uint8Array(), 90_000)],
        fields: {
          difficulty: "0x0",
          timestamp: "0x66000000",
          baseFeePerGas: toHex(10n ** 10n),
          withdrawalsRoot: orderedRoot([]),
          blobGasUsed: toHex(2 * 131_072),
          excessBlobGas: toHex(3_338_477),
          parentBeaconBlockRoot: `0x${"04".repeat(32)}`,
        },
      }),
      context,
    );
    // EIP-4844: the price is e^(excess / update fraction), rounded down. Here, the excess equals the
    // fraction.
    const blobPrice = 2n;
    expect(block.transactions).toMatchObject([
      {
        type: 3,
        status: 1,
        gasPrice: 12n * 10n ** 9n,
        fee: 50_000n * 12n * 10n ** 9n + 2n * 131_072n * blobPrice,
      },
      { type: 4, status: 0, gasUsed: 40_000, fee: 40_000n * 12n * 10n ** 9n },
    ]);
  });

  it.each([
    ["uncles", { uncles: [[ROOT]] as RlpItem[] }, "uncles hash does not match the uncles"],
    ["a transaction", { transactions: [] as Hex[] }, "transactions root does not match"],
  ])("is refused when it has other %s than its header says", (_, change, message) => {
    const content: Content = {
      number: 1_000_000,
      transactions: [signed[0] ?? "0x"],
      receipts: [receipt(0, ROOT, 21_000)],
      fields: { difficulty: "0x400" },
    };
    const { header } = stored(content);
    expect(() => proveStored({ ...stored({ ...content, ...change }), header }, context)).toThrow(message);
  });

  it("of another chain is refused", () => {
    const other = stored({
      number: 1_000_000,
      transactions: [signed[2] ?? "0x"],
      receipts: [receipt(0, ROOT, 21_000)],
      fields: { difficulty: "0x400" },
    });
    expect(() => proveStored(other, context)).toThrow("it belongs to the chain with id 4294967295, not 1");
  });
});
