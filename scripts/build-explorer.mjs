// Builds the explorer if its built files are missing or older than their sources. The build takes a few
// seconds.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = [
  "explorer/src",
  "explorer/public",
  "explorer/index.html",
  "explorer/docs",
  "explorer/vite.config.ts",
  "sdk/src",
];
const BUILT = join(ROOT, "explorer/dist/index.html");

function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const changed = Math.max(...SOURCES.map((path) => newest(join(ROOT, path))));
if (!existsSync(BUILT) || statSync(BUILT).mtimeMs < changed) {
  console.log("building the explorer (once, or when its sources changed)");
  execFileSync("npm", ["run", "--silent", "build", "-w", "explorer", "--", "--logLevel", "warn"], {
    cwd: ROOT,
    stdio: "inherit",
    // Test runners set NODE_ENV=test. With this value, Vite would build React and the charts for development.
    env: { ...process.env, NODE_ENV: "production" },
  });
}
