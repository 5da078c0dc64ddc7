import { BaseError } from "../../lib/error.ts";

/**
 * Requests a path of a service. Resolves with any response, even an error.
 *
 * @param options `body` is sent as JSON with POST; without one, the method is GET
 * @throws NoResponse
 */
export async function requestApi(
  url: string,
  path: string,
  key: string | undefined,
  { body, signal }: { body?: object; signal?: AbortSignal } = {},
): Promise<Response> {
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  try {
    return await fetch(url + path, { headers, ...init, signal: signal ?? null });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new NoResponse(url, cause);
  }
}

/**
 * Fetches the text of a JSON response. If the response is an error, throws an error with the code `endpoint`
 * and the service's own message.
 */
export async function fetchJson(url: string, path: string, key: string | undefined): Promise<string> {
  const response = await requestApi(url, path, key);
  const text = await response.text();
  if (response.ok && response.headers.get("content-type")?.includes("json")) return text;
  throw responseError(url, response.status, text);
}

/** Returns the error for an unexpected response. */
export function responseError(url: string, status: number, text: string): BaseError {
  const message = errorMessageOf(text);
  if (message === null) return new NotQuarry(url, status);
  return new RequestFailed(
    status === 401 ? `${message} Give a valid key with --key or QUARRY_KEY.` : message,
  );
}

/** Returns the message of a Quarry error response; null for other responses. */
export function errorMessageOf(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "error" in body ? String(body.error) : null;
  } catch {
    return null;
  }
}

class NoResponse extends BaseError {
  constructor(url: string, cause: unknown) {
    const advice = "Give the URL of a running service with --url, or start one with: quarry serve.";
    super("endpoint", `no service responds at ${url}. ${advice}`, { cause });
  }
}

class NotQuarry extends BaseError {
  constructor(url: string, status: number) {
    super(
      "endpoint",
      `the server at ${url} (status ${status}) is not Quarry. Give the URL of a service with --url.`,
    );
  }
}

class RequestFailed extends BaseError {
  constructor(message: string) {
    super("endpoint", message);
  }
}
