import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { type McpOptions, mcpServer } from "./mcp-server.ts";

/** Any URL will do: the transport reads only the method and the headers. */
const ANY_URL = "http://localhost/mcp";

/**
 * Answers one message of MCP over streamable HTTP.
 *
 * @param message the request's parsed body
 */
export async function answerMessage(
  message: unknown,
  headers: Headers,
  options: McpOptions,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = mcpServer(options);
  await server.connect(transport);
  try {
    const request = new Request(ANY_URL, { method: "POST", headers });
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}
