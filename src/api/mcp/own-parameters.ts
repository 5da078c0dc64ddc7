import type { RequestContext } from "../parameters/parameter.ts";

/** A context for parameters that a tool reads itself: none of them depends on the time or on the chains. */
export const OWN_PARAMETERS: RequestContext = { method: "POST", now: 0, chains: [] };
