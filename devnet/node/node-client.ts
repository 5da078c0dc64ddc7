import { BaseError } from "../../src/lib/error.ts";
import { withFileHandle } from "./file-handle.ts";

export type Call = [method: string, parameters?: unknown[]];

interface Answer {
  id: number;
  result?: unknown;
  error?: { message: string };
}

/**
 * Calls the demo node. Sends the calls of a batch together, and the node runs them in order. Throws
 * DemoNodeError.
 */
export class NodeClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async call(method: string, ...parameters: unknown[]): Promise<unknown> {
    const [result] = await this.batch([[method, parameters]]);
    return result;
  }

  async batch(calls: Call[]): Promise<unknown[]> {
    const body = calls.map(([method, params = []], id) => ({ jsonrpc: "2.0", id, method, params }));
    const answers = await this.post(JSON.stringify(body));
    answers.sort((a, b) => a.id - b.id);
    return answers.map((answer, at) => {
      if (answer.error !== undefined) throw new DemoNodeError(calls[at]?.[0] ?? "?", answer.error.message);
      return answer.result;
    });
  }

  private async post(body: string): Promise<Answer[]> {
    try {
      const headers = { "content-type": "application/json" };
      const response = await withFileHandle(() => fetch(this.url, { method: "POST", headers, body }));
      return (await response.json()) as Answer[];
    } catch (cause) {
      throw new DemoNodeError("request", "the node of the demo chain does not respond", cause);
    }
  }
}

export class DemoNodeError extends BaseError {
  constructor(method: string, problem: string, cause?: unknown) {
    super("internal", `The demo chain failed at ${method}: ${problem}.`, { cause });
  }
}
