import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { HttpError } from "../errors/errors.ts";

const MAX_PATH = 200;

/** A path without an endpoint; the message lists the endpoints in the same folder. */
export class NotFound extends HttpError {
  constructor(url: string) {
    const path = url.split("?", 1)[0] ?? "";
    super(404, `There is nothing at ${path.slice(0, MAX_PATH)}. ${endpointsNear(path)}`);
  }
}

function endpointsNear(path: string): string {
  const folder = FOLDERS.find((one) => `${path}/`.startsWith(one));
  if (folder === undefined) return "GET /openapi.json describes all endpoints.";
  return `Endpoints in ${folder}: ${namesIn(folder).join(", ")}.`;
}

/** Every folder that contains an endpoint, except the root; deepest first. */
const FOLDERS = [...new Set(ENDPOINTS.flatMap(({ path }) => foldersOf(path)))].toSorted(
  (a, b) => b.length - a.length,
);

function foldersOf(path: string): string[] {
  const [, ...names] = path.split("/").slice(0, -1);
  return names.map((_, i) => `/${names.slice(0, i + 1).join("/")}/`);
}

/** Returns the names of a folder's endpoints and folders; names of folders end with a slash. */
function namesIn(folder: string): string[] {
  const below = ENDPOINTS.filter(({ path }) => path.startsWith(folder));
  return [...new Set(below.map(({ path }) => path.slice(folder.length).replace(/\/.*/, "/")))];
}
