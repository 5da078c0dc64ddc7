import { type Operations, QuarryError } from "@quarry/sdk";
import { queryOptions } from "@tanstack/react-query";
import { quarry } from "./client.ts";

const POLL_MS = 2_000;

/** Reads the state of the service. Only its operator may read it. */
export function operationsQuery() {
  return queryOptions({
    queryKey: ["operations"],
    queryFn: ({ signal }): Promise<Operations> => quarry.operations({ signal }),
    // The service counts wrong keys, so a rejected key is not sent again.
    refetchInterval: ({ state: { error } }) => (isDenied(error) ? false : POLL_MS),
    // The next poll serves as the retry.
    retry: false,
  });
}

/** Returns true if a request failed because its key is missing, wrong or not for the operator. */
export function isDenied(error: Error | null): boolean {
  return error instanceof QuarryError && (error.status === 401 || error.status === 403);
}
