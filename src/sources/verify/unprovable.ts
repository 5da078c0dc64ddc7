import { BaseError } from "../../lib/error.ts";
import type { RpcTransaction } from "../wire/rpc-block.ts";

/** A transaction whose encoding this version does not know, or that no root covers completely. */
export class UnsupportedTransactionType extends BaseError {
  constructor(type: number, detail = "is not supported by this version of Quarry") {
    super(
      "unsupported",
      `transaction type ${nameOf(type)} ${detail}; --no-verify stores such blocks unverified`,
    );
  }
}

/** The endpoint omits a field that the transaction's hash covers. */
export class IncompleteTransaction extends BaseError {
  constructor({ hash, type }: RpcTransaction, field: string) {
    super(
      "verification",
      `transaction ${hash} of type ${nameOf(type)} has no ${field}, which its hash covers`,
    );
  }
}

function nameOf(type: number): string {
  return `0x${type.toString(16)}`;
}
