import { once } from "node:events";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { mcpServer } from "../../api/mcp/mcp-server.ts";
import { aborted } from "../../lib/async/abort.ts";
import { BaseError } from "../../lib/error.ts";
import { version } from "../package-folder.ts";
import { shutdownSignal } from "../shutdown.ts";
import { askOverHttp } from "./ask-over-http.ts";

/**
 * Serves the tools of a service on standard input and output, until the client has closed the input and all
 * its calls have a response. Only MCP messages go to standard output.
 */
export async function serveTools(url: string, key: string | undefined): Promise<void> {
  const server = mcpServer({
    version: version(),
    askWith: (signal) => askOverHttp({ url, key, signal }),
    messageOf,
  });
  const ended = Promise.race([
    // Nothing remains to be done: the input has ended, and no request is running.
    once(process, "beforeExit"),
    once(process.stdout, "error"),
    aborted(shutdownSignal()),
  ]);
  await server.connect(new StdioServerTransport());
  process.stderr.write(`quarry: serving the tools of ${url} on standard input and output\n`);
  await ended;
  await server.close();
}

function messageOf(error: unknown): string {
  if (error instanceof BaseError) return error.message;
  process.stderr.write(`quarry: a tool failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  return "Something went wrong in `quarry mcp`; its standard error output has the details.";
}
