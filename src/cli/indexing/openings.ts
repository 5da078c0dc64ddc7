import { scopeOf } from "../../chains/chain.ts";
import type { Settings } from "../../config/settings.ts";
import { OpeningFinder, type OpeningOptions } from "../../ingest/openings/opening-finder.ts";
import { BaseError } from "../../lib/error.ts";
import { completeFrom, type StoredScope } from "../../schema/scope.ts";
import type { OpeningMode } from "../../schema/tables/opening-balances.ts";
import type { RpcSource } from "../../sources/rpc-source.ts";

/**
 * Creates the search for balances before the first block. Returns null if the search is off, or if there is
 * no endpoint.
 *
 * @throws NoTransfers
 */
export function openingFinder(
  { openingBalances: asked, openingReads: readsPerSecond }: Settings<"openingBalances" | "openingReads">,
  options: Pick<OpeningOptions, "chain" | "store" | "logger" | "requireRoom">,
  source: RpcSource | null,
): OpeningFinder | null {
  const { chain, logger } = options;
  const scope = scopeOf(chain);
  requireTransfers(chain.name, asked, scope);
  const mode = asked ?? (hasTransfers(scope) ? "pools" : "none");
  if (mode === "none") return null;
  if (source !== null) return new OpeningFinder({ ...options, source, mode, readsPerSecond });
  if (asked !== undefined) logger.warn({ chain: chain.name }, NO_READINGS);
  return null;
}

const NO_READINGS =
  "--opening-balances has no effect without --rpc: files do not contain the balances before the first block";

/**
 * @throws NoTransfers if balances are requested, but some rows from which they are computed are not stored
 */
export function requireTransfers(chain: string, asked: OpeningMode | undefined, scope: StoredScope): void {
  if (asked !== undefined && asked !== "none" && !hasTransfers(scope)) throw new NoTransfers(chain, scope);
}

function hasTransfers(scope: StoredScope): boolean {
  return completeFrom(scope, "erc20") === 0 && completeFrom(scope, "logs") === 0;
}

class NoTransfers extends BaseError {
  constructor(chain: string, { keep, rawFrom }: StoredScope) {
    const reason =
      rawFrom > 0 ? `those before block ${rawFrom} were pruned` : `--keep ${keep} does not store them`;
    super(
      "bad-config",
      `--opening-balances needs all transfers and logs of chain "${chain}", but ${reason}. Leave the option out, or ` +
        "index the chain again with --keep all or no-input.",
    );
  }
}
