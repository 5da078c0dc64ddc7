import { fetch } from "undici";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { steadyBody } from "../../lib/async/steady-body.ts";
import { textWithin } from "../../lib/async/text-within.ts";
import { BaseError } from "../../lib/error.ts";
import { networkReason } from "../../lib/system-error.ts";
import { Downloads, type RequireRoom } from "./downloads.ts";
import { parseEraName } from "./file-name.ts";
import type { FilePlace } from "./file-place.ts";
import { NoFiles } from "./local-files.ts";

const CHECKSUMS = "checksums_sha256.txt";
/** Maximum size of a list. A list of all eras of Ethereum takes 0.3 MB. */
const MAX_LIST_BYTES = 16 * 2 ** 20;
/** A line of the list, as `sha256sum` writes it. */
const LINE = /^([0-9a-f]{64}) [ *](?:\.\/)?(\S+)$/i;

interface RemoteFilesOptions {
  /** Folder for downloads, used while its disk has enough free space. */
  cache: string;
  requireRoom: RequireRoom;
  signal: AbortSignal;
  clock?: Clock;
}

/**
 * Returns the files that are named in the list of checksums of a folder on the web.
 *
 * @throws NoFiles, ListFailed
 */
export async function remoteFiles(
  url: string,
  { cache, requireRoom, signal, clock = systemClock }: RemoteFilesOptions,
): Promise<FilePlace[]> {
  const folder = url.endsWith("/") ? url : `${url}/`;
  const downloads = new Downloads(cache, { requireRoom, clock });
  const places = parseChecksums(await fetchList(new URL(CHECKSUMS, folder), { clock, signal })).map(
    ({ name, firstBlock, sha256 }): FilePlace => ({
      name,
      firstBlock,
      path: (stop) => downloads.fetch(new URL(name, folder), { name, sha256 }, stop),
      release: () => downloads.remove(name),
    }),
  );
  if (places.length === 0)
    throw new NoFiles(
      url,
      `its ${CHECKSUMS} names no .era1, .ere or .erae file. Files of other formats must be downloaded first`,
    );
  return places;
}

interface ListedFile {
  name: string;
  firstBlock: number;
  sha256: string;
}

/**
 * Parses a list of checksums. Ignores names that do not have the usual form, so a list cannot name a file
 * outside its folder.
 */
export function parseChecksums(list: string): ListedFile[] {
  return list.split(/\r?\n/).flatMap((line) => {
    const [, sha256, name] = LINE.exec(line) ?? [];
    const said = name === undefined ? null : parseEraName(name);
    if (sha256 === undefined || name === undefined || said === null) return [];
    return [{ name, firstBlock: said.firstBlock, sha256: sha256.toLowerCase() }];
  });
}

async function fetchList(
  url: URL,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<string> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new ListFailed(url, `status ${response.status}`);
    const tooLong = () => new ListFailed(url, `it has more than ${MAX_LIST_BYTES} bytes`);
    return await textWithin(steadyBody(response.body, clock), MAX_LIST_BYTES, tooLong);
  } catch (cause) {
    if (cause instanceof ListFailed || signal.aborted) throw cause;
    throw new ListFailed(url, networkReason(cause));
  }
}

class ListFailed extends BaseError {
  constructor({ host, pathname }: URL, reason: string) {
    super("endpoint", `cannot read the list of files ${host}${pathname}: ${reason}`);
  }
}
