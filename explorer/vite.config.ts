import { fileURLToPath } from "node:url";
import { constants } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compression, defineAlgorithm } from "vite-plugin-compression2";

/** The running Quarry to which `npm run dev` proxies API requests. */
const SERVICE = process.env.QUARRY_URL ?? "http://127.0.0.1:8080";

const CLIENT = fileURLToPath(new URL("../sdk/src/index.ts", import.meta.url));

/**
 * Compression at this quality takes one second. The maximum makes files 3 % smaller but takes ten, which
 * would delay the start of the demo.
 */
const BROTLI_QUALITY = 9;

/** Scalar's standalone bundle, which its package does not export. */
const SCALAR = fileURLToPath(
  new URL("js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference")),
);

export default defineConfig({
  plugins: [
    react(),
    preloadFont("inter-latin-wght-normal"),
    // Compresses at build time, because the service sends the compressed files unchanged.
    compression({
      algorithms: [
        defineAlgorithm("brotliCompress", { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
        defineAlgorithm("gzip"),
      ],
      threshold: 1024,
    }),
  ],
  resolve: {
    alias: [
      // Uses the client's sources, so the client need not be built first.
      { find: /^@quarry\/sdk$/, replacement: CLIENT },
      { find: /^scalar-standalone/, replacement: SCALAR },
    ],
  },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: ["index.html", "docs/index.html"] },
  },
  server: { proxy: { "/v1": SERVICE, "/docs": SERVICE, "/openapi.json": SERVICE } },
});

/** Preloads a font, which the browser would otherwise discover only after scripts and styles. */
function preloadFont(name: string): Plugin {
  return {
    name: "preload-font",
    apply: "build",
    transformIndexHtml(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((each) => each.includes(name) && each.endsWith(".woff2"));
      if (file === undefined) return this.error(`no font ${name} in the build`);
      const attrs = { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  };
}
