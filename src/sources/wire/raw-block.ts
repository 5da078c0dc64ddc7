/** A block and its receipts as sent by an endpoint; null if it lacks them. */
export interface RawBlock {
  number: number;
  block: unknown;
  receipts: unknown;
}
