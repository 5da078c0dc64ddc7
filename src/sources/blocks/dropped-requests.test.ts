import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { toQuantity } from "../../lib/hex.ts";
import { collect, open, replay } from "../support/rpc-endpoints.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);

/** Starts an endpoint that closes the connection instead of responding to some requests. */
async function dropping(isDropped: (calls: { method: string; params: unknown[] }[]) => boolean) {
  const node = await replay(MAINNET);
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const calls = JSON.parse(body);
    if (isDropped([calls].flat())) return void request.socket.destroy();
    response.end(await (await fetch(node, { method: "POST", body })).text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a request whose connection every endpoint closes", () => {
  it("is split, so that blocks that are too large together are fetched apart", async () => {
    const url = await dropping((calls) => calls.length > 4);
    const { source } = await open([url], { limits: { targetResponseBytes: 16_000_000 } });
    const blocks = await collect(source, FIRST, LAST);
    expect(blocks).toHaveLength(LAST - FIRST + 1);
  });

  it("is named in the log if it is for a single block, and is repeated", async () => {
    let isWell = false;
    const url = await dropping(
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
