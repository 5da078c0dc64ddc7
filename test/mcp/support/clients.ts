import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { BIN } from "../../support/processes/processes.ts";

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return client;
}

/** Connects the official client to a new `quarry mcp` process over stdio. */
export function connectStdio(...args: string[]): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...args],
    env: { PATH: process.env.PATH ?? "" },
    stderr: "ignore",
  });
  return connect(transport);
}

/** Connects the official client over streamable HTTP. */
export function connectHttp(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  // The class has optional fields that may be undefined, which its interface does not allow.
  return connect(transport as Transport);
}

interface Called {
  isError: boolean;
  text: string;
}

export async function callTool(client: Client, name: string, given: object): Promise<Called> {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...given } });
  const [{ text } = { text: "" }] = content as { text: string }[];
  return { isError: isError === true, text };
}
