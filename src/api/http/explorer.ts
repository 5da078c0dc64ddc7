import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Their names change with their content, so that a browser may keep them for good. */
const LASTING = /[\\/]assets[\\/]/;

/** The pages run nothing but their own files, ask nobody but this service and stand in no other page. */
const CONTENT_POLICY = [
  "default-src 'self'",
  // The chart and the editor write style elements of their own.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the explorer's built files, compressed when they were built. */
export async function addExplorer(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    // A route for each file: whatever else is asked for is no file, and nobody looks for it on the disk.
    wildcard: false,
    cacheControl: false,
    setHeaders: (response, path) => {
      const lasts = LASTING.test(path);
      response.setHeader("cache-control", lasts ? "public, max-age=31536000, immutable" : "no-cache");
      response.setHeader("content-security-policy", CONTENT_POLICY);
      response.setHeader("x-content-type-options", "nosniff");
      response.setHeader("referrer-policy", "no-referrer");
    },
  });
}

/** Whether a browser asks for one of the explorer's pages, which it tells apart by their addresses itself. */
export function isForExplorer({ method, url, headers }: FastifyRequest): boolean {
  const isPage = method === "GET" && (headers.accept ?? "").includes("text/html");
  return isPage && !OF_THE_SERVICE.test(url);
}

const OF_THE_SERVICE = /^\/(v1|docs|assets)(\/|\?|$)|^\/[^/?]*\.[^/?]*(\?|$)/;
