/** A block and its receipts as an endpoint sent them; null if it does not have them. */
export interface RawBlock {
  number: number;
  block: unknown;
  receipts: unknown;
}
