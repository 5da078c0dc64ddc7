import { encodeFunctionData, getContractAddress, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { V2_FACTORY, V2_INIT_CODE_HASH } from "../market/pools.ts";
import { create2Address, createAddress, encodeCall, keccak } from "./call-data.ts";

const A = "0x1111111111111111111111111111111111111111";
const B = "0x2222222222222222222222222222222222222222";

describe("encodeCall", () => {
  it("encodes words, including negative ones, as viem does", () => {
    const abi = parseAbi(["function add(address pool, int24 lower, uint128 liquidity)"]);
    const args = [A, -887_220, 5n] as const;
    expect(encodeCall("add(address,int24,uint128)", ...args)).toBe(encodeFunctionData({ abi, args }));
  });

  it("encodes arrays as viem does", () => {
    const abi = parseAbi(["function see(uint256[] a, address[] b, uint256 c, address[] d)"]);
    const args = [[1n, 2n], [A, B], 9n, []] as const;
    const own = encodeCall("see(uint256[],address[],uint256,address[])", [1n, 2n], [A, B], 9n, []);
    expect(own).toBe(encodeFunctionData({ abi, args }));
  });
});

describe("encodeCall with strings", () => {
  it.each(["", "WETH", "a".repeat(32), "Weighted pool of ether, dollars and mica"])(
    "encodes %j as viem does",
    (text) => {
      const abi = parseAbi(["function create(string name, address[] tokens, string symbol, address owner)"]);
      const own = encodeCall("create(string,address[],string,address)", { text }, [A, B], { text: "X" }, A);
      expect(own).toBe(encodeFunctionData({ abi, args: [text, [A, B], "X", A] }));
    },
  );
});

describe("createAddress", () => {
  it.each([0, 1, 2, 127])("is what viem computes for the nonce %d", (nonce) => {
    const viem = getContractAddress({ from: V2_FACTORY, nonce: BigInt(nonce) });
    expect(createAddress(V2_FACTORY, nonce)).toBe(viem.toLowerCase());
  });
});

describe("create2Address", () => {
  it("is what viem computes", () => {
    const salt = keccak("0x1234");
    const viem = getContractAddress({
      opcode: "CREATE2",
      from: V2_FACTORY,
      salt,
      bytecodeHash: V2_INIT_CODE_HASH,
    });
    expect(create2Address(V2_FACTORY, salt, V2_INIT_CODE_HASH)).toBe(viem.toLowerCase());
  });
});
