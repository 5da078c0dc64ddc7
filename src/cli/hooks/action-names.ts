/** Actions of `quarry hooks`. */
export const ACTION_NAMES = ["add", "list", "remove", "test", "pause", "resume"] as const;

export type ActionName = (typeof ACTION_NAMES)[number];
