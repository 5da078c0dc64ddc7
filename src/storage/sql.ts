declare const printed: unique symbol;
/** Engine SQL that only our own printers can make. */
export type Sql = string & { readonly [printed]: true };
