import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { type McpOptions, mcpServer } from "./mcp-server.ts";
import { InvalidRequestParameter, readMessage } from "./read-message.ts";

/** Any URL will do: the transport reads only the method and the headers. */
const ANY_URL = "http://localhost/mcp";

/**
 * Returns the response to one message of MCP over streamable HTTP.
 *
 * @param given the request's parsed body
 * @throws HttpError 400 if it has too many values
 */
export async function answerMessage(
  given: unknown,
  headers: Headers,
  options: McpOptions,
): Promise<Response> {
  try {
    return await answer(readMessage(given), headers, options);
  } catch (error) {
    if (!(error instanceof InvalidRequestParameter)) throw error;
    const { id, message } = error;
    return Response.json({ jsonrpc: "2.0", id, error: { code: ErrorCode.InvalidParams, message } });
  }
}

async function answer(message: unknown, headers: Headers, options: McpOptions): Promise<Response> {
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
