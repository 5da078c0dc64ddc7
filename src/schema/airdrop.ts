/**
 * Minimum number of recipients of one token in one transaction that make it an airdrop. In the recorded
 * blocks, payouts in honest tokens have up to 14 recipients, and the only airdrop has 591 (docs/verdicts.md).
 */
export const FAN_OUT_RECIPIENTS = 50;
