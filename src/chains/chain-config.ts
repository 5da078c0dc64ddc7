import { z } from "zod";
import { BaseError } from "../lib/error.ts";
import { type Hex, isHex } from "../lib/hex.ts";
import { POOL_FAMILY_NAMES } from "../schema/pool-families.ts";
import type { Chain, Deployment, ListedPool } from "./chain.ts";
import { BUILT_IN_CHAINS } from "./chains.ts";

/** Pattern of a chain's name. The name is the prefix of its SQL tables, so it must be one word. */
const CHAIN_NAME = /^[a-z][a-z0-9]*$/;
/** Maximum length of a name. Longer names would make table names unreadable. */
const NAME_LIMIT = 32;
const EXAMPLE_ADDRESS = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";

function hexOf(bytes: number, what: string) {
  return z
    .string({ error: what })
    .refine((text): text is Hex => isHex(text, bytes), { error: what })
    .transform((text) => text.toLowerCase() as Hex);
}

const address = hexOf(20, `expected an address of 20 bytes, such as "${EXAMPLE_ADDRESS}"`);
const hash = hexOf(32, "expected a hash of 32 bytes: 0x and 64 hex digits");
const pool = z
  .string()
  .refine((text): text is Hex => isHex(text, 20) || isHex(text, 32), {
    error: "expected a pool: an address of 20 bytes or, for Uniswap V4, an id of 32 bytes",
  })
  .transform((text) => text.toLowerCase() as Hex);
const fraction = z
  .int()
  .min(0)
  .lt(1_000_000, { error: "expected millionths of the input amount, below 1000000 (3000 is 0.3 %)" });

/**
 * Maximum number of nonces. Computing the address of each takes 10 us, once, and keeping it takes 150 bytes.
 */
const MAX_NONCES = 100_000;

const listedPool = z.strictObject({
  address,
  tokens: z.array(address).min(2),
  underlying: z.array(address).exactOptional(),
  shares: address.exactOptional(),
}) satisfies z.ZodType<ListedPool>;

const deployment = z.strictObject({
  protocol: z.string().regex(/^[a-z0-9_]+$/, { error: 'expected a name such as "uniswap_v2"' }),
  family: z.enum(POOL_FAMILY_NAMES),
  factory: address,
  positionManager: address.exactOptional(),
  vault: address.exactOptional(),
  feeControllers: z.array(address).exactOptional(),
  stableFactories: z.array(address).exactOptional(),
  nonces: z.int().min(1).max(MAX_NONCES).exactOptional(),
  pools: z.array(address).exactOptional(),
  listed: z.array(listedPool).exactOptional(),
  holdsNative: z.boolean().exactOptional(),
  deployer: address.exactOptional(),
  initCodeHash: hash.nullable().default(null),
  keys: z.array(z.int().min(1).nullable()).min(1).exactOptional(),
  keyIsTickSpacing: z.boolean().exactOptional(),
  fee: fraction.nullable().default(null),
  firstBlock: z.int().min(0).default(0),
}) satisfies z.ZodType<Deployment>;

const finality = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("tag") }),
  z.strictObject({ kind: z.literal("depth"), blocks: z.int().min(0) }),
]);

const fields = z.strictObject({
  chainId: z.int().min(1),
  nativeSymbol: z.string().min(1),
  wrappedNative: address,
  stableCoins: z.array(address),
  referencePools: z.array(pool),
  deployments: z.array(deployment),
  finality,
  blockTimeMs: z.int().min(1),
}) satisfies z.ZodType<Omit<Chain, "name">>;

/**
 * Returns the chains by name: the built-in chains, overridden and extended by a configuration. A field in the
 * configuration replaces the whole built-in field, lists included. Addresses may have any case and are
 * converted to lower case.
 *
 * @param overrides fields by chain name: any fields of a built-in chain, or all fields of another chain;
 * undefined if there are none
 * @throws BadChainConfig with the key of every wrong value
 */
export function resolveChains(overrides: unknown): Map<string, Chain> {
  const chains = new Map(BUILT_IN_CHAINS.map((chain) => [chain.name, chain]));
  if (overrides === undefined) return chains;
  parse(z.record(z.string(), z.unknown()), overrides, "chains");
  for (const [name, given] of Object.entries(Object(overrides))) {
    chains.set(name, resolve(name, given, chains));
  }
  return chains;
}

function resolve(name: string, given: unknown, chains: ReadonlyMap<string, Chain>): Chain {
  if (!CHAIN_NAME.test(name) || name.length > NAME_LIMIT) {
    throw new BadChainConfig([
      `chains: ${JSON.stringify(name)} is not a chain name: use a lower-case letter, followed by lower-case ` +
        `letters or digits, at most ${NAME_LIMIT} characters in all`,
    ]);
  }
  const key = `chains.${name}`;
  const chain = { name, ...parse(fields, over(chains.get(name), given), key) };
  const problems = contradictions(chain).map((problem) => `${key}.${problem}`);
  if (problems.length > 0) throw new BadChainConfig(problems);
  return chain;
}

/** Returns the fields of a configuration, completed with the fields of the built-in chain. */
function over(builtIn: Chain | undefined, given: unknown): unknown {
  if (builtIn === undefined || typeof given !== "object" || Array.isArray(given) || given === null) {
    return given;
  }
  const { name: _, ...known } = builtIn;
  return { ...known, ...given };
}

function contradictions({ wrappedNative, stableCoins, deployments }: Chain): string[] {
  const factories = deployments.map(({ factory }) => factory);
  const twice = factories.flatMap((factory, i) =>
    factories.indexOf(factory) < i ? [`deployments[${i}].factory: ${factory} is listed twice`] : [],
  );
  const cash = stableCoins.includes(wrappedNative)
    ? [`stableCoins: contains wrappedNative (${wrappedNative}), which is not a stablecoin`]
    : [];
  const managers = deployments.filter(({ family }) => family === "uniswap-v4");
  const rivals =
    managers.length > 1
      ? ["deployments: several are of family uniswap-v4, so their pools would share ids"]
      : [];
  return [...cash, ...twice, ...rivals];
}

function parse<T>(schema: z.ZodType<T>, given: unknown, key: string): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new BadChainConfig(result.error.issues.map((issue) => describe(issue, given, key)));
}

function describe(issue: z.core.$ZodIssue, given: unknown, key: string): string {
  const path = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  const value = issue.path.reduce<unknown>(valueAt, given);
  const shown = value === undefined ? "nothing" : JSON.stringify(value)?.slice(0, 80);
  return `${key}${path.join("")}: ${issue.message}; given: ${shown}`;
}

function valueAt(parent: unknown, part: PropertyKey): unknown {
  return typeof parent === "object" && parent !== null ? Reflect.get(parent, part) : undefined;
}

/** A configuration has an invalid chain or value. The message names every wrong key. */
export class BadChainConfig extends BaseError {
  constructor(problems: readonly string[]) {
    super("bad-config", problems.join("\n"));
  }
}
