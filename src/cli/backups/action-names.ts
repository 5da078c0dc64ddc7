/** What `quarry backup` can do besides making a backup. */
export const ACTION_NAMES = ["list", "verify"] as const;

export type ActionName = (typeof ACTION_NAMES)[number];
