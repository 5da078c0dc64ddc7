import { getContractAddress, keccak256, pad, toHex } from "viem";
import type { CountedLog } from "./count-events.ts";

type Hex = `0x${string}`;

interface Factory {
  protocol: string;
  creator: Hex;
  codeHash: Hex;
  /** Fees that may be part of a V3 pool's salt. */
  fees?: readonly number[];
}

const V3_FEES = [100, 500, 3000, 10_000] as const;
const V3_CODE: Hex = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54";

/**
 * The factories. The hash of each one's pool creation code comes from its documentation or its pair library.
 */
const FACTORIES: readonly Factory[] = [
  {
    protocol: "uniswap_v2",
    creator: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
    codeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
  },
  {
    protocol: "sushiswap_v2",
    creator: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
    codeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
  },
  {
    protocol: "shibaswap_v2",
    creator: "0x115934131916c8b277dd010ee02de363c09d037c",
    codeHash: "0x65d1a3b1e46c6e4f1be1ad5f99ef14dc488ae0549dc97db9b30afe2241ce1c7a",
  },
  {
    protocol: "pancakeswap_v2",
    creator: "0x1097053fd2ea711dad45caccc45eff7548fcb362",
    codeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
  },
  {
    protocol: "defiswap_v2",
    creator: "0x9deb29c9a4c7a88a3c0257393b7f3335338d9a9d",
    codeHash: "0x69d637e77615df9f235f642acebbdad8963ef35c5523142078c9b8f9d0ceba7e",
  },
  {
    protocol: "uniswap_v3",
    creator: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
    codeHash: V3_CODE,
    fees: V3_FEES,
  },
  {
    protocol: "sushiswap_v3",
    creator: "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
    codeHash: V3_CODE,
    fees: V3_FEES,
  },
  {
    protocol: "pancakeswap_v3",
    creator: "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9",
    codeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
    fees: [100, 500, 2500, 10_000],
  },
];

/**
 * For each address that a factory creates for two tokens, returns the protocol. Tries the tokens that moved
 * to or from the address, and the tokens that it names itself.
 */
export function protocolsByAddress(
  addresses: Iterable<string>,
  logs: readonly CountedLog[],
  namedTokens: (address: string) => string[],
): Map<string, string> {
  const moved = tokensByHolder(logs);
  const found = new Map<string, string>();
  for (const address of addresses) {
    const tokens = new Set([...(moved.get(address) ?? []), ...namedTokens(address)]);
    const protocol = protocolOf(address, [...tokens].sort());
    if (protocol !== undefined) found.set(address, protocol);
  }
  return found;
}

function tokensByHolder(logs: readonly CountedLog[]): Map<string, Set<string>> {
  const held = new Map<string, Set<string>>();
  for (const { event, log } of logs) {
    if (event !== "erc20 Transfer") continue;
    for (const topic of log.topics.slice(1, 3)) {
      const holder = `0x${topic.slice(26)}`;
      held.set(holder, (held.get(holder) ?? new Set()).add(log.address));
    }
  }
  return held;
}

function protocolOf(address: string, tokens: readonly string[]): string | undefined {
  for (const [i, token0] of tokens.entries()) {
    for (const token1 of tokens.slice(i + 1)) {
      const factory = FACTORIES.find((one) => created(one, token0 as Hex, token1 as Hex).includes(address));
      if (factory !== undefined) return factory.protocol;
    }
  }
  return undefined;
}

function created({ creator, codeHash, fees }: Factory, token0: Hex, token1: Hex): string[] {
  const packed: Hex[] =
    fees === undefined
      ? [`0x${token0.slice(2)}${token1.slice(2)}`]
      : fees.map(
          (fee): Hex => `0x${[token0, token1, toHex(fee)].map((part) => pad(part).slice(2)).join("")}`,
        );
  return packed.map((text) =>
    getContractAddress({
      opcode: "CREATE2",
      from: creator,
      bytecodeHash: codeHash,
      salt: keccak256(text),
    }).toLowerCase(),
  );
}
