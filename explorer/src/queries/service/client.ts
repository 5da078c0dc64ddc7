import { type Client, createClient } from "@quarry/sdk";

const KEY = "quarry.key";

/** The service that this page came from. */
export let quarry = connect(storedKey());

function connect(key: string | undefined): Client {
  return createClient({ url: location.origin, key, retries: 1 });
}

/** Asks with another key from now on, and remembers it in this browser. */
export function setKey(key: string): void {
  localStorage.setItem(KEY, key);
  quarry = connect(key);
}

/** Whether the service is asked with a key. */
export function hasKey(): boolean {
  return storedKey() !== undefined;
}

function storedKey(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined;
}
