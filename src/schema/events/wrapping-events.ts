import type { Hex } from "../../lib/hex.ts";

/** Deposit(address,uint256) of WETH9: wraps native coins without a Transfer. */
export const DEPOSIT_TOPIC: Hex = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";

/** Withdrawal(address,uint256) of WETH9: unwraps native coins without a Transfer. */
export const WITHDRAWAL_TOPIC: Hex = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";
