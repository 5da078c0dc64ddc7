/**
 * Default of `--rpc` for commands that need no endpoint. For other commands, a missing `--rpc` is an error.
 */
export const NO_ENDPOINT = "none";

/** Returns the URLs of `--rpc`; null if there are none. */
export function endpointsIn(rpc: readonly string[]): readonly string[] | null {
  return rpc.length === 1 && rpc[0] === NO_ENDPOINT ? null : rpc;
}
