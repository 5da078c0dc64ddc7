/** A request in the form that all measured servers accept. */
export interface ApiRequest {
  path: string;
  /** The JSON body. A request without a body is a GET. */
  body?: string;
}

export function get(path: string, parameters: Record<string, string | number | boolean> = {}): ApiRequest {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return { path: query.length === 0 ? path : `${path}?${query.join("&")}` };
}

export function post(path: string, body: Record<string, unknown>): ApiRequest {
  return { path, body: JSON.stringify(body) };
}

/** Returns the bytes of a request on a connection that stays open. */
export function requestBytes({ path, body }: ApiRequest, prefix: string): Buffer {
  const host = "host: 127.0.0.1\r\n";
  if (body === undefined) return Buffer.from(`GET ${prefix}${path} HTTP/1.1\r\n${host}\r\n`);
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`POST ${prefix}${path} HTTP/1.1\r\n${host}${headers}\r\n${body}`);
}

/**
 * Returns a similar request to a route that does nothing, with a URL of the same length or a body of the same
 * size.
 */
export function bareRequest({ path, body }: ApiRequest): ApiRequest {
  if (body !== undefined) return { path: "/bare", body };
  const padding = path.length - "/health?x=".length;
  return { path: padding > 0 ? `/health?x=${"0".repeat(padding)}` : "/health" };
}
