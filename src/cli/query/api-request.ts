import { BaseError } from "../../lib/error.ts";

interface Question {
  url: string;
  path: string;
  key: string | undefined;
  /** Sent as JSON; absent: a GET. */
  body?: object;
}

/** Asks a service, whatever it answers. */
export async function requestApi({ url, path, key, body }: Question): Promise<Response> {
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  try {
    return await fetch(url + path, { headers, ...sent });
  } catch (cause) {
    throw new NoAnswer(url, cause);
  }
}

/** The text of a service's answer. Throws `endpoint` with the service's own sentence where it refuses. */
export async function fetchJson(question: Question): Promise<string> {
  const response = await requestApi(question);
  const text = await response.text();
  if (response.ok && response.headers.get("content-type")?.includes("json")) return text;
  throw refusal(question.url, response.status, text);
}

/** What a service said instead of an answer. */
export function refusal(url: string, status: number, answer: string): BaseError {
  const sentence = errorMessageOf(answer);
  if (sentence === null) return new NotQuarry(url, status);
  return new Refused(status === 401 ? `${sentence} Give it with --key or QUARRY_KEY.` : sentence);
}

/** The sentence of an error that Quarry answers with; null where the answer is none of its. */
export function errorMessageOf(answer: string): string | null {
  try {
    const body: unknown = JSON.parse(answer);
    return typeof body === "object" && body !== null && "error" in body ? String(body.error) : null;
  } catch {
    return null;
  }
}

class NoAnswer extends BaseError {
  constructor(url: string, cause: unknown) {
    const advice = "Name a running service with --url, or start one: quarry serve.";
    super("endpoint", `nobody answers at ${url}. ${advice}`, { cause });
  }
}

class NotQuarry extends BaseError {
  constructor(url: string, status: number) {
    super("endpoint", `what answers at ${url} (status ${status}) is no Quarry. Name a service with --url.`);
  }
}

class Refused extends BaseError {
  constructor(sentence: string) {
    super("endpoint", sentence);
  }
}
