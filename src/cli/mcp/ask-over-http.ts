import { type Ask, requireShortBody } from "../../api/mcp/ask.ts";
import { requestApi, responseError } from "../query/api-request.ts";

interface AskOverHttpOptions {
  url: string;
  key: string | undefined;
  /** Aborts when the client cancels the call. */
  signal: AbortSignal;
}

/** Returns a function that calls endpoints of a running service. */
export function askOverHttp({ url, key, signal }: AskOverHttpOptions): Ask {
  return async ({ path, methods }, parameters) => {
    const options = methods.includes("POST") ? { body: parameters, signal } : { signal };
    const response = await requestApi(url, path, key, options);
    const length = Number(response.headers.get("content-length") ?? 0);
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    if (!response.ok || !isJson) throw responseError(url, response.status, await response.text());
    try {
      requireShortBody(length);
    } catch (error) {
      await response.body?.cancel();
      throw error;
    }
    return { body: await response.json(), header: (name) => response.headers.get(name) };
  };
}
