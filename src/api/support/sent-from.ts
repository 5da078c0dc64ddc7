import { request } from "node:http";

export interface SentResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Sent {
  /** A loopback address such as 127.0.0.2: each is a client of its own. */
  from: string;
  path: string;
  /** Sent by POST as JSON; default: GET. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends a request over a connection of its own, from an address of this machine. */
export function sendFrom(
  url: string,
  { from, path, body, headers = {}, signal }: Sent,
): Promise<SentResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      {
        agent: false,
        localAddress: from,
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        response.on("error", reject);
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
