import type { LookupAddress, LookupOptions } from "node:dns";
import { type BlockList, isIP, type LookupFunction } from "node:net";
import { BaseError } from "../../lib/error.ts";
import { hostName } from "../../lib/names/host-name.ts";
import { includes, isPublic, rangesOf } from "./address-ranges.ts";

/** Resolves a name to its addresses, as `dns.promises.lookup` does with the option `all`. */
export type Resolve = (name: string, options: { all: true; family: number }) => Promise<LookupAddress[]>;

const MAX_URL = 2_000;

/** The targets that webhooks may have: public addresses, and those that the operator allows. */
export class Targets {
  readonly #names: ReadonlySet<string>;
  readonly #ranges: BlockList;
  readonly #resolve: Resolve;

  /** @param allowed names, addresses and ranges that the operator allows */
  constructor(allowed: readonly string[], resolve: Resolve) {
    const hosts = allowed.map(withoutBrackets);
    const isAddress = (host: string) => isIP(host.split("/")[0] ?? "") !== 0;
    this.#names = new Set(hosts.filter((host) => !isAddress(host)).flatMap((host) => hostName(host) ?? []));
    this.#ranges = rangesOf(hosts.filter(isAddress));
    this.#resolve = resolve;
  }

  /**
   * Parses the URL of a target, and checks it as far as possible without a connection.
   *
   * @throws BadTarget, NotPublic
   */
  requireAllowed(text: string): URL {
    if (text.length > MAX_URL) throw new BadTarget(`it has more than ${MAX_URL} characters`);
    if (!URL.canParse(text)) throw new BadTarget(`${JSON.stringify(text)} is not a URL`);
    const url = new URL(text);
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw new BadTarget(`its protocol is ${JSON.stringify(url.protocol)}, not http: or https:`);
    if (url.username !== "" || url.password !== "")
      throw new BadTarget("it contains a user name or password; the signature proves who sends a delivery");
    const host = withoutBrackets(url.hostname);
    if (isIP(host) !== 0) this.#requireAddress(host, host);
    return url;
  }

  /**
   * Resolves the name of a target when a connection is made, and checks the addresses that it has now,
   * because it may have had other addresses before.
   */
  readonly lookup: LookupFunction = (name, options, done) => {
    this.#addressesOf(name, options).then(
      (found) => {
        const [first] = found;
        if (options.all === true) done(null, found);
        else done(null, first?.address ?? "", first?.family);
      },
      (error) => done(error, []),
    );
  };

  async #addressesOf(name: string, { family }: LookupOptions): Promise<LookupAddress[]> {
    const found = await this.#resolve(name, { all: true, family: typeof family === "number" ? family : 0 });
    if (!this.#names.has(hostName(name) ?? ""))
      for (const { address } of found) this.#requireAddress(address, name);
    return found;
  }

  #requireAddress(address: string, host: string): void {
    if (!isPublic(address) && !includes(this.#ranges, address)) throw new NotPublic(address, host);
  }
}

/** Returns a host as in a URL, without the brackets around an IPv6 address. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

/** A URL that a webhook cannot have. */
export class BadTarget extends BaseError {
  constructor(reason: string) {
    super("bad-input", `A webhook cannot have this URL: ${reason}.`);
  }
}

/** A target whose address is neither public nor allowed by the operator. */
export class NotPublic extends BaseError {
  constructor(address: string, host: string) {
    const named = address === host ? address : `${host} has the address ${address}, which`;
    super(
      "bad-input",
      `A webhook cannot have this target: ${named} is not public. Allow it with --hook-hosts if it is yours.`,
    );
  }
}
