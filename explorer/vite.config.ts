import { fileURLToPath } from "node:url";
import { constants } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compression, defineAlgorithm } from "vite-plugin-compression2";

/** Where `npm run dev` finds a running Quarry; its pages ask at their own origin. */
const SERVICE = process.env.QUARRY_URL ?? "http://127.0.0.1:8080";

const CLIENT = fileURLToPath(new URL("../sdk/src/index.ts", import.meta.url));

/** Takes a second; the highest takes ten for 3 % less, and whoever starts the demo waits for it. */
const BROTLI_QUALITY = 9;

/** The API reference as one file, with all that it needs; its own package has no way in for it. */
const SCALAR = fileURLToPath(
  new URL("js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference")),
);

export default defineConfig({
  plugins: [
    react(),
    preloadFont("inter-latin-wght-normal"),
    // Compressed once, when built: the service sends the files as they are.
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
      // The client is taken from its sources, so that it needs no build before; all else as it is published for use.
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

/** Asks for a font with the page itself: the browser would find it only after script and styles. */
function preloadFont(name: string): Plugin {
  return {
    name: "preload-font",
    apply: "build",
    transformIndexHtml(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((each) => each.includes(name) && each.endsWith(".woff2"));
      if (file === undefined) return this.error(`no font ${name} was built`);
      const attrs = { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  };
}
