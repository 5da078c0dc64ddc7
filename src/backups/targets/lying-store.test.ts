import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { s3Target } from "./s3-target.ts";
import type { BackupTarget } from "./target.ts";

let server: Server;
let respond: (path: string, response: ServerResponse) => void;
let requests: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    respond(String(request.url), response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function storeWith(clock?: ManualClock): BackupTarget {
  const keys = { region: "eu-west-1", accessKeyId: "key", secretAccessKey: "secret" };
  const options = { bucket: "backups", prefix: "", endpoint: endpoint(), ...keys };
  return s3Target(clock === undefined ? options : { ...options, clock });
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

/** Writes pieces for as long as the other side reads them. */
function writeForever(response: ServerResponse, piece: Buffer): void {
  response.on("error", () => undefined);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
}

it.each([301, 302, 307, 308])(
  "does not follow a redirect (%i), which may lead into the own network",
  async (status) => {
    respond = (path, response) => {
      if (path.startsWith("/private")) return response.end("{}");
      return response.writeHead(status, { location: `${endpoint()}/private` }).end();
    };
    await expect(bytesOf(storeWith().read("backups/x.json"))).rejects.toThrow(
      `refused a request: status ${status}. Check AWS_REGION and --s3-endpoint`,
    );
    await expect(storeWith().write("parts/ab/x", chunk("secret"))).rejects.toMatchObject({
      code: "bad-config",
    });
    expect(requests.filter((request) => request.includes("private"))).toEqual([]);
  },
);

async function* chunk(text: string) {
  yield Buffer.from(text);
}

it("stops reading a list that never ends", async () => {
  respond = (_, response) => writeForever(response.writeHead(200), Buffer.alloc(2 ** 20, "<Contents>"));
  await expect(storeWith().list("parts/")).rejects.toThrow("sends an endless response");
});

it("stops reading a reason that never ends", async () => {
  respond = (_, response) => writeForever(response.writeHead(403), Buffer.alloc(2 ** 20, "no"));
  await expect(storeWith().list("parts/")).rejects.toThrow("sends an endless response");
});

it("stops reading a list whose pages lead back to themselves", async () => {
  respond = (_, response) => response.end("<NextContinuationToken>t</NextContinuationToken>");
  await expect(storeWith().list("parts/")).rejects.toThrow("sends an endless response");
  expect(requests.length).toBe(2);
});

it("gives up on a file that is sent a byte at a time", async () => {
  const clock = new ManualClock();
  respond = async (_, response) => {
    response.on("error", () => undefined);
    for (let i = 0; i < 8 && !response.destroyed; i++) {
      response.write("x");
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clock.advance(100_000);
    }
  };
  await expect(bytesOf(storeWith(clock).read("parts/ab/x"))).rejects.toThrow(
    "does not respond (the server sends less than 1 KiB per second)",
  );
});
