import { AwsClient } from "aws4fetch";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { steadyBody } from "../../lib/async/steady-body.ts";
import { textWithin } from "../../lib/async/text-within.ts";
import { BaseError } from "../../lib/error.ts";
import { networkReason } from "../../lib/system-error.ts";

export interface S3Options {
  bucket: string;
  /** Prefix of the keys of all files: empty, or ends with a slash. */
  prefix: string;
  /** URL of an S3-compatible store; default: Amazon's. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  clock?: Clock;
}

export interface S3Request {
  method: "GET" | "PUT" | "POST" | "DELETE";
  /** Default: the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** Statuses other than 2xx that are not failures. */
  accepts?: readonly number[];
}

/** Waits between attempts, if the store does not respond or is overloaded: half a minute in all. */
const WAITS_MS = [250, 500, 1_000, 3_000, 8_000, 16_000];

/** Maximum size of a response other than a file. The longest is a list of 1,000 keys, of at most 4 MiB. */
const MAX_TEXT_BYTES = 16 * 1024 ** 2;

/** Sends signed requests to a bucket, and retries those that fail temporarily. */
export class S3Requests {
  readonly place: string;
  readonly prefix: string;
  readonly clock: Clock;
  readonly #base: string;
  readonly #client: AwsClient;

  constructor({ bucket, prefix, endpoint, clock = systemClock, ...credentials }: S3Options) {
    this.place = `s3://${bucket}/${prefix}`;
    this.prefix = prefix;
    this.clock = clock;
    this.#base =
      endpoint === undefined
        ? `https://${bucket}.s3.${credentials.region}.amazonaws.com/`
        : `${endpoint.replace(/\/+$/, "")}/${bucket}/`;
    const { sessionToken, ...keys } = credentials;
    const token = sessionToken === undefined ? {} : { sessionToken };
    this.#client = new AwsClient({ ...keys, ...token, service: "s3", retries: 0 });
  }

  /** @throws StoreFailed */
  async send(request: S3Request): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const waitMs = WAITS_MS[attempt];
      const response = await this.#fetch(request).catch((error: unknown) => {
        if (waitMs === undefined) throw new Unreachable(this.place, error);
        return null;
      });
      if (response !== null && isAccepted(response, request)) return response;
      if (response !== null && (waitMs === undefined || !isTemporary(response)))
        throw new StoreFailed(this.place, response.status, await this.text(response));
      await response?.body?.cancel();
      await this.clock.sleep(waitMs ?? 0);
    }
  }

  /** Reads a short response. @throws Unreachable, LongAnswer */
  text(response: Response): Promise<string> {
    return textWithin(this.body(response), MAX_TEXT_BYTES, () => new LongAnswer(this.place));
  }

  /** Reads the body of a response. @throws Unreachable if it breaks off or is sent too slowly */
  async *body(response: Response): AsyncGenerator<Uint8Array> {
    try {
      yield* steadyBody(response.body, this.clock);
    } catch (error) {
      throw new Unreachable(this.place, error);
    }
  }

  #fetch({ method, key, query = {}, headers = {}, body }: S3Request): Promise<Response> {
    const path = key === undefined ? "" : `${this.prefix}${key}`.split("/").map(encodeURIComponent).join("/");
    const search = new URLSearchParams(query).toString().replaceAll("+", "%20");
    const url = `${this.#base}${path}${search === "" ? "" : `?${search}`}`;
    // A redirect could lead to an address in the operator's own network, and a signature holds for one host.
    const options = { method, headers, redirect: "manual" } as const;
    return this.#client.fetch(url, body === undefined ? options : { ...options, body });
  }
}

function isAccepted({ ok, status }: Response, { accepts = [] }: S3Request): boolean {
  return ok || accepts.includes(status);
}

function isTemporary({ status }: Response): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/** Returns the content of the first element with the given name; undefined if there is none. */
export function elementOf(xml: string, name: string): string | undefined {
  return elementsOf(xml, name)[0];
}

/** Returns the contents of all elements with the given name. They must not be nested. */
export function elementsOf(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g");
  return [...xml.matchAll(pattern)].map(([, content = ""]) => unescaped(content));
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescaped(text: string): string {
  if (text.includes("<")) return text;
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? "");
}

/** The store refused a request. */
export class StoreFailed extends BaseError {
  readonly status: number;

  constructor(place: string, status: number, body: string) {
    const code = elementOf(body, "Code");
    const message = elementOf(body, "Message");
    const reason =
      code === undefined ? `status ${status}` : `${code} (${status}): ${message ?? ""}`.trimEnd();
    super(
      status >= 500 ? "unavailable" : "bad-config",
      `The store of ${place} refused a request: ${reason.replace(/[.:]$/, "")}. ${adviceOn(status)}`.trimEnd(),
      { retryable: status >= 500 },
    );
    this.status = status;
  }
}

function adviceOn(status: number): string {
  if (status === 403 || status === 401)
    return "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the permissions of that key.";
  if (status === 404) return "Check the name of the bucket and --s3-endpoint.";
  return (status >= 300 && status < 400) || status === 400 ? "Check AWS_REGION and --s3-endpoint." : "";
}

/** The store sends more than any correct response has. */
export class LongAnswer extends BaseError {
  constructor(place: string) {
    super("unavailable", `The store of ${place} sends an endless response. Check --s3-endpoint.`);
  }
}

class Unreachable extends BaseError {
  constructor(place: string, cause: unknown) {
    super(
      "unavailable",
      `The store of ${place} does not respond (${networkReason(cause)}). Check --s3-endpoint and the network.`,
      { cause, retryable: true },
    );
  }
}
