import fc from "fast-check";
import { serializeTransaction, type TransactionSerializable } from "viem";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { fromBytes } from "../../lib/hex.ts";
import { parseBlock } from "../wire/parse.ts";
import type { RpcTransaction } from "../wire/rpc-block.ts";
import { keccakHex } from "./encoding.ts";
import { encodeTransaction } from "./transaction.ts";

const ZERO_HASH = `0x${"0".repeat(64)}`;

function parsed(fields: object): RpcTransaction {
  const json = { hash: ZERO_HASH, from: `0x${"1".repeat(40)}`, ...fields };
  const block = {
    number: "0x1",
    hash: ZERO_HASH,
    parentHash: ZERO_HASH,
    timestamp: "0x1",
    miner: `0x${"0".repeat(40)}`,
    gasLimit: "0x1",
    gasUsed: "0x0",
    extraData: "0x",
    transactions: [json],
  };
  const [tx] = parseBlock(block, 1).transactions;
  if (tx === undefined) throw new Error("no transaction");
  return tx;
}

const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(fromBytes);
const wei = fc.bigInt(0n, 2n ** 100n);
const word = fc.bigInt(1n, 2n ** 256n - 1n);

/** Fields that all signed transactions have. Some are absent or zero. */
const shared = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  nonce: fc.integer({ min: 0, max: 2 ** 31 }),
  gas: fc.bigInt(0n, 2n ** 40n),
  to: fc.option(bytes(20)),
  value: wei,
  data: fc.uint8Array({ maxLength: 80 }).map(fromBytes),
  r: word,
  s: word,
  yParity: fc.constantFrom(0, 1),
  price: wei,
  tip: wei,
  accessList: fc.array(
    fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 3 }) }),
    {
      maxLength: 3,
    },
  ),
  hashes: fc.array(
    bytes(31).map((hash): Hex => `0x01${hash.slice(2)}`),
    { minLength: 1, maxLength: 3 },
  ),
  delegate: bytes(20),
});
type Shared = typeof shared extends fc.Arbitrary<infer T> ? T : never;

function base(tx: Shared) {
  return {
    chainId: quantity(tx.chainId),
    nonce: quantity(tx.nonce),
    gas: quantity(tx.gas),
    to: tx.to,
    value: quantity(tx.value),
    input: tx.data,
    r: quantity(tx.r),
    s: quantity(tx.s),
    v: quantity(tx.yParity),
    yParity: quantity(tx.yParity),
    accessList: tx.accessList,
  };
}

function signed(tx: Shared, serializable: object): Hex {
  const { chainId, nonce, gas, value, data } = tx;
  const fields = {
    chainId,
    nonce,
    gas,
    value,
    data,
    ...(tx.to === null ? {} : { to: tx.to }),
    ...serializable,
  };
  const word32 = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
  const signature = { r: word32(tx.r), s: word32(tx.s), yParity: tx.yParity, v: 27n + BigInt(tx.yParity) };
  return serializeTransaction(fields as TransactionSerializable, signature);
}

const dynamic = (tx: Shared) => ({
  maxFeePerGas: quantity(tx.price + tx.tip),
  maxPriorityFeePerGas: quantity(tx.tip),
});
const dynamicOfViem = (tx: Shared) => ({
  maxFeePerGas: tx.price + tx.tip,
  maxPriorityFeePerGas: tx.tip,
  accessList: tx.accessList,
});

describe("encodeTransaction", () => {
  it("encodes legacy transactions as viem does", () => {
    fc.assert(
      fc.property(shared, (tx) => {
        const v = quantity(BigInt(tx.chainId) * 2n + 35n + BigInt(tx.yParity));
        const rpc = parsed({
          ...base(tx),
          type: "0x0",
          gasPrice: quantity(tx.price),
          v,
          yParity: undefined,
          accessList: undefined,
        });
        expect(fromBytes(encodeTransaction(rpc, 1))).toBe(signed(tx, { type: "legacy", gasPrice: tx.price }));
      }),
    );
  });

  it("encodes transactions with access lists (EIP-2930) as viem does", () => {
    fc.assert(
      fc.property(shared, (tx) => {
        const rpc = parsed({ ...base(tx), type: "0x1", gasPrice: quantity(tx.price) });
        const expected = signed(tx, { type: "eip2930", gasPrice: tx.price, accessList: tx.accessList });
        expect(fromBytes(encodeTransaction(rpc, 1))).toBe(expected);
      }),
    );
  });

  it("encodes transactions with dynamic fees (EIP-1559) as viem does", () => {
    fc.assert(
      fc.property(shared, (tx) => {
        const rpc = parsed({ ...base(tx), ...dynamic(tx), type: "0x2" });
        expect(fromBytes(encodeTransaction(rpc, 1))).toBe(
          signed(tx, { type: "eip1559", ...dynamicOfViem(tx) }),
        );
      }),
    );
  });

  it("encodes blob transactions (EIP-4844) as viem does", () => {
    fc.assert(
      fc.property(shared, (tx) => {
        const blobs = { maxFeePerBlobGas: quantity(tx.price), blobVersionedHashes: tx.hashes };
        const rpc = parsed({ ...base(tx), ...dynamic(tx), ...blobs, type: "0x3" });
        const expected = signed(tx, {
          type: "eip4844",
          ...dynamicOfViem(tx),
          maxFeePerBlobGas: tx.price,
          blobVersionedHashes: tx.hashes,
        });
        expect(fromBytes(encodeTransaction(rpc, 1))).toBe(expected);
      }),
    );
  });

  it("encodes delegations (EIP-7702) as viem does", () => {
    fc.assert(
      fc.property(shared, (tx) => {
        const own = { address: tx.delegate, yParity: tx.yParity, r: quantity(tx.r), s: quantity(tx.s) };
        const authorizationList = [
          { ...own, chainId: quantity(tx.chainId), nonce: quantity(tx.nonce), yParity: quantity(tx.yParity) },
        ];
        const rpc = parsed({ ...base(tx), ...dynamic(tx), authorizationList, type: "0x4" });
        const expected = signed(tx, {
          type: "eip7702",
          ...dynamicOfViem(tx),
          authorizationList: [{ ...own, chainId: tx.chainId, nonce: tx.nonce }],
        });
        expect(fromBytes(encodeTransaction(rpc, 1))).toBe(expected);
      }),
    );
  });

  it("encodes a real OP-stack deposit, which nodes return without signature and flags", () => {
    const rpc = parsed({
      type: "0x7e",
      sourceHash: "0x79ab34de993de378f15eafd864cab321ca382dc65b7aa82d0cc10618e68041e6",
      from: "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001",
      to: "0x4200000000000000000000000000000000000015",
      mint: "0x0",
      value: "0x0",
      gas: "0x5f5e100",
      input: [
        "0x098999be00000558000c5fc50000000000000053000000006922225700000000016c07460000000000000000",
        "000000000000000000000000000000000000000004157764000000000000000000000000000000000000000000",
        "0000000000000000000001f7c63d3b8cb8f194b5ac53452faf9f8c0d14f790e43e85a12558906bbe6a5adf0000",
        "00000000000000000000b98c6b1a805b96707a43e1f1acfa163b68098fa6000000000000000000000000",
      ].join(""),
      gasPrice: "0x0",
      nonce: "0xfffff",
    });
    expect(keccakHex(encodeTransaction(rpc, 4326))).toBe(
      "0x243d39c7f6cd74a9a081a6fe4bdfce37ac6136b9454691aeeb9ed77998450cbc",
    );
  });

  it("rejects an unknown type, and names it", () => {
    const rpc = parsed({ type: "0x55", nonce: "0x0", gas: "0x0", value: "0x0", input: "0x", to: null });
    expect(() => encodeTransaction(rpc, 1)).toThrow(
      "transaction type 0x55 is not supported by this version of Quarry",
    );
  });
});
