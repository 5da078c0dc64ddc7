/**
 * Upper bounds of the buckets of block ages, in seconds. They cover the age of a block at the head of a fast
 * chain as well as the age of a block from a node that lags by minutes.
 */
export const AGE_BOUNDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300];
