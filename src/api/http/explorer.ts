import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Encoding, encodingFor } from "../answers/accepted-encoding.ts";
import { matchesAny, namesEtag } from "../caching/etag.ts";
import { HttpError } from "../errors/errors.ts";

/** Files whose names change with their content, so that browsers may cache them forever. */
const IMMUTABLE = /^assets\//;

/** The pages run only scripts of this service, connect only to this service and cannot be framed. */
const CONTENT_POLICY = [
  "default-src 'self'",
  // The chart and the editor insert style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers on which a page depends: clients that do not accept HTML get 404 at the same path. */
const PAGE_VARIES = "Accept, Accept-Encoding";

/** The media types of the files that the build writes. */
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Endings that the build appends to the names of compressed files. */
const ENDINGS: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

const INDEX = "index.html";
const ICON = "quarry.svg";

/** A file of the explorer, as it was built. */
interface BuiltFile {
  headers: Record<string, string>;
  plain: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
}

/**
 * The explorer's built files. They are in memory, because a file read from disk takes a file handle and a
 * buffer until the client has read it, and clients may request many files without reading any.
 */
export class Explorer {
  readonly #files: ReadonlyMap<string, BuiltFile>;

  constructor(folder: string) {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, sep).length));
    const all = new Map(names.map((name) => [name.replaceAll(sep, "/"), readFileSync(join(folder, name))]));
    this.#files = new Map([...all].flatMap(([name, plain]) => builtFile(name, plain, all)));
  }

  /** Serves each file at its own path, so that the path of a request is never looked up on disk. */
  addRoutes(app: FastifyInstance): void {
    for (const [name, file] of this.#files) {
      for (const url of pathsOf(name)) app.get(url, (request, reply) => send(file, request, reply));
    }
  }

  /** Sends the explorer's page, whose router handles any path. */
  sendPage(request: FastifyRequest, reply: FastifyReply): void {
    const page = this.#files.get(INDEX);
    if (page !== undefined) send(page, request, reply);
  }
}

function builtFile(
  name: string,
  plain: Buffer,
  all: ReadonlyMap<string, Buffer>,
): [name: string, file: BuiltFile][] {
  if (Object.values(ENDINGS).some((ending) => name.endsWith(ending))) return [];
  const compressed = (Object.keys(ENDINGS) as Encoding[]).flatMap((encoding) => {
    const body = all.get(name + ENDINGS[encoding]);
    return body === undefined ? [] : [[encoding, body]];
  });
  const headers = {
    "content-type": TYPES[extname(name)] ?? "application/octet-stream",
    "cache-control": IMMUTABLE.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
    "content-security-policy": CONTENT_POLICY,
    etag: `W/"${createHash("sha1").update(plain).digest("base64url")}"`,
    vary: name.endsWith(".html") ? PAGE_VARIES : "Accept-Encoding",
    "referrer-policy": "no-referrer",
  };
  return [[name, { headers, plain, compressed: Object.fromEntries(compressed) }]];
}

/**
 * Returns the URL paths of a file. An index also has the path of its folder. The icon also has the path at
 * which browsers look for one if they show a response that names none, such as JSON.
 */
function pathsOf(name: string): string[] {
  const path = `/${name}`;
  if (name === ICON) return [path, "/favicon.ico"];
  return path.endsWith(`/${INDEX}`) ? [path, path.slice(0, -INDEX.length)] : [path];
}

function send(
  { headers, plain, compressed }: BuiltFile,
  { headers: { "if-match": ifMatch, "if-none-match": ifNoneMatch, ...given } }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // A weak ETag never matches here (RFC 9110, 13.1.1).
  if (ifMatch !== undefined && !matchesAny(ifMatch))
    throw new HttpError(412, "The file is not the version that the request expects.");
  reply.headers(headers);
  if (matchesAny(ifNoneMatch) || namesEtag(ifNoneMatch, headers.etag ?? "")) return reply.code(304).send();
  const encoding = encodingFor(given["accept-encoding"]);
  const body = encoding === null ? undefined : compressed[encoding];
  if (body === undefined || encoding === null) return reply.send(plain);
  return reply.header("content-encoding", encoding).send(body);
}

/** Returns true if a browser requests a page of the explorer; the explorer's own router picks the page. */
export function isForExplorer({ method, url, headers }: FastifyRequest): boolean {
  const isPage = method === "GET" && (headers.accept ?? "").includes("text/html");
  return isPage && !SERVICE_PATH.test(url);
}

const SERVICE_PATH = /^\/(v1|udf|docs|assets)(\/|\?|$)|^\/[^/?]*\.[^/?]*(\?|$)/;
