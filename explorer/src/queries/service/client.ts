import { type Client, createClient } from "@quarry/sdk";

const KEY = "quarry.key";

/** Client of the service that served this page. */
export let quarry = connect(storedKey());

function connect(key: string | undefined): Client {
  return createClient({ url: location.origin, key, retries: 1, fetch: fetchRevalidated });
}

/**
 * Revalidates even responses that the service declares final, because the same URL may serve another chain
 * tomorrow, for example if a new demo is started.
 */
function fetchRevalidated(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  return fetch(url, { ...init, cache: "no-cache" });
}

/** Uses this API key from now on, and stores it in this browser. */
export function setKey(key: string): void {
  localStorage.setItem(KEY, key);
  quarry = connect(key);
}

/** Returns whether requests carry an API key. */
export function hasKey(): boolean {
  return storedKey() !== undefined;
}

function storedKey(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined;
}
