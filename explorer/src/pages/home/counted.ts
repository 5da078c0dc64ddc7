/** Which swaps count twice where all trades of a chain are counted. */
export const COUNTED = "A swap in which no side is cash, or both are, is a trade of each of its tokens.";
