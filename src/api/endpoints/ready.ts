import { z } from "zod";
import { BaseError } from "../../lib/error.ts";
import { NothingToAsk, newestCommit } from "../../reads/snapshot.ts";
import { endpoint } from "../endpoint.ts";

export const ready = endpoint({
  name: "getReady",
  methods: ["GET"],
  path: "/ready",
  summary: "200 once questions about every configured chain can be answered; 503 with the reason until then.",
  parameters: {},
  answer: z.strictObject({ ready: z.literal(true) }),
  example: { parameters: {}, answer: { ready: true } },
  cost: "nothing",
  open: true,
  async handle(_values, { reader, indexing }) {
    if (reader.chains.length === 0) throw new NothingToAsk();
    for (const readable of reader.chains) {
      const { name } = readable.chain;
      const state = indexing(name);
      if (state?.ready === false) throw new StillPreparing(name, state.message);
      await newestCommit(readable);
    }
    return { body: { ready: true as const }, asOf: null };
  },
});

class StillPreparing extends BaseError {
  constructor(chain: string, message = "the first blocks are being indexed") {
    super("not-ready", `Chain ${chain} is not ready: ${message}.`, { retryable: true });
  }
}
