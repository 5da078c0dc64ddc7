/** A block and its receipts as sent by an endpoint. Each is null if the endpoint lacks it. */
export interface RawBlock {
  number: number;
  block: unknown;
  receipts: unknown;
}
