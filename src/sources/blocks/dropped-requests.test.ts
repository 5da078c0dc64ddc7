import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { toQuantity } from "../../lib/hex.ts";
import { collect, dropping, open, replay } from "../support/rpc-endpoints.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);

describe("a request whose connection every endpoint closes", () => {
  it("is split, so that blocks that are too large together are fetched apart", async () => {
    const url = await dropping(await replay(MAINNET), (calls) => calls.length > 4);
    const { source } = await open([url], { limits: { targetResponseBytes: 16_000_000 } });
    const blocks = await collect(source, FIRST, LAST);
    expect(blocks).toHaveLength(LAST - FIRST + 1);
  });

  it("is named in the log if it is for a single block, and is repeated", async () => {
    let isWell = false;
    const url = await dropping(
      await replay(MAINNET),
      (calls) => !isWell && calls.some(({ params }) => params[0] === toQuantity(FIRST)),
    );
    const { source, warnings } = await open([url], { limits: { warningIntervalMs: 0 } });
    const blocks = collect(source, FIRST, FIRST);
    const warning = `block ${FIRST}: other side closed UND_ERR_SOCKET, although the endpoint responds to other requests`;
    await expect.poll(() => warnings.join("\n")).toContain(warning);
    isWell = true;
    expect(await blocks).toHaveLength(1);
  });
});
