import type { Parameters } from "../parameters/parameter.ts";
import { chainParameter } from "../parameters/shared-parameters.ts";
import type { Ask } from "./ask.ts";

/** A tool for agents, declared once: its input schema is derived from the parameters. */
export interface Tool {
  name: string;
  /** A few words for lists. */
  title: string;
  /** For the model that selects a tool: what it returns, in which units. */
  description: string;
  /** The parameters of the endpoint and of the tool itself. */
  parameters: Parameters;
  /**
   * Returns the answer as JSON.
   *
   * @param given parameters as the client gave them; only names of `parameters`
   */
  run(given: Given, ask: Ask): Promise<string>;
}

export type Given = Record<string, unknown>;

/** Returns the endpoint parameters that have one of these names. */
export function only(parameters: Parameters, names: readonly string[]): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)));
}

/** The parameter for the chain of a call. */
export const TOOL_CHAIN = {
  ...chainParameter(),
  doc: "chain to query; the status tool lists the available chains",
};

/** Returns the chain that a call names, once the endpoint has accepted it. */
export function chainIn({ chain }: Given): string {
  return typeof chain === "string" && chain !== "" ? chain.trim().toLowerCase() : "eth";
}
