/** Makes the error for a part of a query that the oracle does not know. */
export const unknown = (what: string) => new Error(`Unknown ${what}`);
