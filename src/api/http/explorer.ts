import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Files whose names change with their content, so that browsers may cache them forever. */
const IMMUTABLE = /[\\/]assets[\\/]/;

/** The pages run only their own files, connect only to this service and cannot be framed. */
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

/** Serves the explorer's built files, which the build compressed. */
export async function addExplorer(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    // One route for each file, so that no other path is searched on disk.
    wildcard: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isImmutable = IMMUTABLE.test(path);
      response.setHeader("cache-control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
      response.setHeader("content-security-policy", CONTENT_POLICY);
      response.setHeader("vary", path.endsWith(".html") ? PAGE_VARIES : "Accept-Encoding");
      response.setHeader("referrer-policy", "no-referrer");
    },
  });
}

/** Returns true if a browser requests a page of the explorer; the explorer's own router picks the page. */
export function isForExplorer({ method, url, headers }: FastifyRequest): boolean {
  const isPage = method === "GET" && (headers.accept ?? "").includes("text/html");
  return isPage && !SERVICE_PATH.test(url);
}

const SERVICE_PATH = /^\/(v1|udf|docs|assets)(\/|\?|$)|^\/[^/?]*\.[^/?]*(\?|$)/;
