import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

interface StoredObject {
  body: Buffer;
  writtenMs: number;
}

/** May respond to a request in place of the store. Returns true if it does. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** How a store treats a condition on a write. */
export type Conditions = "kept" | "refused" | "ignored";

/** The part of an S3-compatible store that backups use, in memory, with one bucket. */
export interface FakeS3 {
  endpoint: string;
  bucket: string;
  objects: Map<string, StoredObject>;
  /** Pieces of uploads that are not complete, by upload. */
  uploads: Map<string, { key: string; pieces: Map<number, Buffer> }>;
  /** Methods and paths of all requests. */
  requests: string[];
  /** Called before each request. If it returns true, it responds to the request itself. */
  fault: Fault;
  conditions: Conditions;
  /** Whether responses say when an object was written. */
  hasTimes: boolean;
  close(): Promise<void>;
}

const BUCKET = "backups";
/** Number of keys on one page of a list, so small that lists have several pages. */
const PAGE_KEYS = 7;

export async function startFakeS3(): Promise<FakeS3> {
  const store: FakeS3 = {
    endpoint: "",
    bucket: BUCKET,
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    fault: () => false,
    conditions: "kept",
    hasTimes: true,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    store.requests.push(`${request.method} ${request.url}`);
    void respond(store, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  store.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return store;
}

async function respond(store: FakeS3, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await store.fault(request, response))) await answer(store, request, response);
}

async function answer(
  store: FakeS3,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ServerResponse> {
  const body = await buffer(request);
  const url = new URL(request.url ?? "/", "http://s3");
  const [, bucket = "", ...rest] = url.pathname.split("/");
  const key = rest.map(decodeURIComponent).join("/");
  if (!/^AWS4-HMAC-SHA256 Credential=key\//.test(request.headers.authorization ?? ""))
    return fail(response, 403, "SignatureDoesNotMatch");
  if (bucket !== BUCKET) return fail(response, 404, "NoSuchBucket");
  const { method } = request;
  const query = url.searchParams;
  if (key === "")
    return method === "GET" ? listing(store, query, response) : fail(response, 405, "MethodNotAllowed");
  if (query.has("uploads") || query.has("uploadId"))
    return upload(store, { key, query, body, method }, response);
  if (method === "PUT") return put(store, { key, body, headers: request.headers }, response);
  if (method === "DELETE") {
    store.objects.delete(key);
    return response.writeHead(204).end();
  }
  return get(store, key, request.headers.range, response);
}

function listing(store: FakeS3, query: URLSearchParams, response: ServerResponse): ServerResponse {
  const prefix = query.get("prefix") ?? "";
  if (query.has("uploads")) {
    const uploads = [...store.uploads].filter(([, { key }]) => key.startsWith(prefix));
    const listed = uploads.map(
      ([id, { key }]) => `<Upload><Key>${encodeURIComponent(key)}</Key><UploadId>${id}</UploadId></Upload>`,
    );
    return xml(response, `<ListMultipartUploadsResult>${listed.join("")}</ListMultipartUploadsResult>`);
  }
  const keys = [...store.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const from = Number(query.get("continuation-token") ?? 0);
  const page = keys.slice(from, from + PAGE_KEYS).map((key) => {
    const size = store.objects.get(key)?.body.length;
    return `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${size}</Size></Contents>`;
  });
  const next =
    from + PAGE_KEYS < keys.length
      ? `<NextContinuationToken>${from + PAGE_KEYS}</NextContinuationToken>`
      : "";
  return xml(response, `<ListBucketResult>${next}${page.join("")}</ListBucketResult>`);
}

interface UploadRequest {
  key: string;
  query: URLSearchParams;
  body: Buffer;
  method: string | undefined;
}

function upload(
  store: FakeS3,
  { key, query, body, method }: UploadRequest,
  response: ServerResponse,
): ServerResponse {
  if (query.has("uploads")) {
    const id = `upload-${store.uploads.size}-${store.requests.length}`;
    store.uploads.set(id, { key, pieces: new Map() });
    return xml(response, `<Result><UploadId>${id}</UploadId></Result>`);
  }
  const id = query.get("uploadId") ?? "";
  const found = store.uploads.get(id);
  if (found === undefined) return fail(response, 404, "NoSuchUpload");
  if (method === "PUT") {
    found.pieces.set(Number(query.get("partNumber")), body);
    return response.writeHead(200, { etag: tagOf(body) }).end();
  }
  store.uploads.delete(id);
  if (method === "DELETE") return response.writeHead(204).end();
  const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
  const pieces = listed.map(([, number, tag]) => {
    const piece = found.pieces.get(Number(number)) ?? Buffer.alloc(0);
    return tagOf(piece) === tag ? piece : Buffer.from("wrong tag");
  });
  store.objects.set(key, { body: Buffer.concat(pieces), writtenMs: Date.now() });
  return xml(response, "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
}

function put(
  store: FakeS3,
  { key, body, headers }: { key: string; body: Buffer; headers: IncomingHttpHeaders },
  response: ServerResponse,
): ServerResponse {
  const { "if-none-match": absent, "if-match": tag } = headers;
  const isConditional = absent !== undefined || tag !== undefined;
  const found = store.objects.get(key);
  const isMet = tag === undefined ? found === undefined : found !== undefined && tagOf(found.body) === tag;
  if (isConditional && store.conditions === "refused") return fail(response, 501, "NotImplemented");
  if (isConditional && store.conditions === "kept" && !isMet)
    return fail(response, 412, "PreconditionFailed");
  store.objects.set(key, { body, writtenMs: Date.now() });
  return response.writeHead(200, { etag: tagOf(body) }).end();
}

function get(
  store: FakeS3,
  key: string,
  range: string | undefined,
  response: ServerResponse,
): ServerResponse {
  const found = store.objects.get(key);
  if (found === undefined) return fail(response, 404, "NoSuchKey");
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
  const headers = {
    etag: tagOf(found.body),
    ...(store.hasTimes && { "last-modified": new Date(found.writtenMs).toUTCString() }),
    "content-length": found.body.length - from,
  };
  return response.writeHead(from === 0 ? 200 : 206, headers).end(found.body.subarray(from));
}

function tagOf(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function xml(response: ServerResponse, text: string): ServerResponse {
  return response.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>${text}`);
}

function fail(response: ServerResponse, status: number, code: string): ServerResponse {
  return response
    .writeHead(status)
    .end(`<Error><Code>${code}</Code><Message>a &quot;reason&quot;</Message></Error>`);
}
