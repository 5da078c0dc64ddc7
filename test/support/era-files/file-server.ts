import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface FileServer {
  url: string;
  requests: string[];
  stop(): Promise<void>;
}

/** Serves a folder of files over HTTP. Supports requests for the rest of a file. */
export async function serveFiles(files: Record<string, Uint8Array>): Promise<FileServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? "").slice(1);
    const content = files[name];
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    requests.push(`${name} from ${start}`);
    if (content === undefined) return void response.writeHead(404).end();
    response.writeHead(start > 0 ? 206 : 200, { "content-length": content.length - start });
    response.end(content.subarray(start));
  });
  // A busy test may not notice in time that the server has closed an idle connection.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Prints the checksums of files as `sha256sum` does. */
export function checksumList(files: Record<string, Uint8Array>): Buffer {
  const lines = Object.entries(files).map(
    ([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`,
  );
  return Buffer.from(lines.join(""));
}
