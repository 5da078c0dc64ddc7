import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";

/** The buffers of a vault, which convert between wrapped tokens and their underlying tokens. */
export interface BufferScheme {
  /** Returns the wrapped token of a conversion. Returns null for other logs. */
  wrappedIn(log: Log): Hex | null;
  /** Returns the call to the vault whose result is the underlying token, which never changes. */
  assetCall(wrapped: Hex, vault: Hex): ContractCall;
}

/** Underlying tokens by buffer, as the vaults report them. Null for a buffer that has none. */
export interface BufferAssets {
  get(buffer: Hex): Hex | null | undefined;
}

/** Returns the name of a wrapped token's buffer in a vault: the vault's address, followed by the token's. */
export function bufferOf(vault: Hex, wrapped: Hex): Hex {
  return `${vault}${wrapped.slice(2)}`;
}
