import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { Refused } from "../errors/errors.ts";

const MAX_SHOWN_PATH = 200;

/** A path that nothing is served at; its sentence tells what is served near it. */
export class NothingThere extends Refused {
  constructor(url: string) {
    const path = url.split("?", 1)[0] ?? "";
    super(404, `There is nothing at ${path.slice(0, MAX_SHOWN_PATH)}. ${servedNear(path)}`);
  }
}

function servedNear(path: string): string {
  const folder = FOLDERS.find((one) => `${path}/`.startsWith(one));
  if (folder === undefined) return "What is served: GET /openapi.json.";
  return `Served in ${folder}: ${namesIn(folder).join(", ")}.`;
}

/** Every folder that something is served in, but for the root; the deepest first. */
const FOLDERS = [...new Set(ENDPOINTS.flatMap(({ path }) => foldersOf(path)))].toSorted(
  (a, b) => b.length - a.length,
);

function foldersOf(path: string): string[] {
  const [, ...names] = path.split("/").slice(0, -1);
  return names.map((_, i) => `/${names.slice(0, i + 1).join("/")}/`);
}

/** Names of endpoints and, with a slash behind them, of folders. */
function namesIn(folder: string): string[] {
  const below = ENDPOINTS.filter(({ path }) => path.startsWith(folder));
  return [...new Set(below.map(({ path }) => path.slice(folder.length).replace(/\/.*/, "/")))];
}
