import { z } from "zod";
import { BaseError } from "../../../lib/error.ts";
import {
  NoChainConfigured,
  newestCommit,
  type ReadableChain,
  sharedRead,
} from "../../../reads/snapshot/snapshot.ts";
import { endpoint, type IndexingState } from "../../endpoint/endpoint.ts";
import { standstill, standstillReason, unavailableReason } from "./standstill.ts";

export const ready = endpoint({
  name: "getReady",
  methods: ["GET"],
  path: "/ready",
  title: "Readiness",
  summary: "200 while every chain can be queried and advances, otherwise 503 with the reason.",
  parameters: {},
  answer: z.strictObject({ ready: z.literal(true) }),
  example: { parameters: {}, answer: { ready: true } },
  cost: "nothing",
  open: true,
  isProbe: true,
  async handle(_values, { reader, indexing }) {
    if (reader.chains.length === 0) throw new NoChainConfigured();
    for (const readable of reader.chains) {
      const { name } = readable.chain;
      await requireReady(readable, indexing(name)).catch((error) => {
        throw isUnavailable(error) ? new ChainUnavailable(name, error) : error;
      });
    }
    return { body: { ready: true as const }, asOf: null };
  },
});

/** @throws StillPreparing, Standstill, NothingIndexed, and whatever the store throws */
async function requireReady(readable: ReadableChain, state: IndexingState | null): Promise<void> {
  const { name } = readable.chain;
  if (state?.ready === false) throw new StillPreparing(name, state.message);
  const reason = standstillReason(name, state);
  if (reason !== null) throw new Standstill(standstill(reason, await sharedRead(readable.store).committed()));
  await newestCommit({ ...readable, store: sharedRead(readable.store) });
}

function isUnavailable(error: unknown): error is BaseError {
  return error instanceof BaseError && error.code === "unavailable";
}

class ChainUnavailable extends BaseError {
  constructor(chain: string, cause: BaseError) {
    super(cause.code, unavailableReason(chain, cause), { cause, retryable: true });
  }
}

class StillPreparing extends BaseError {
  constructor(chain: string, message: string | null) {
    const reason = message ?? "the first blocks are being indexed";
    super("not-ready", `Chain ${chain} is not ready: ${reason}.`, { retryable: true });
  }
}

class Standstill extends BaseError {
  constructor(message: string) {
    super("not-ready", message, { retryable: true });
  }
}
