/** Actions of `quarry keys`. */
export const ACTION_NAMES = ["create", "list", "revoke", "usage"] as const;

export type ActionName = (typeof ACTION_NAMES)[number];
