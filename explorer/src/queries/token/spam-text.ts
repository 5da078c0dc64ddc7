const REASONS: Record<string, string> = {
  no_accepted_trade: "no trade at an accepted price",
  link_in_name: "a link in its name",
  imitates_listed_symbol: "the symbol of a listed token",
  airdrop_fan_out: "sent to many wallets at once",
};

/** Formats the reasons of a spam verdict as words. */
export function spamText(reasons: string): string {
  return reasons
    .split(",")
    .map((reason) => REASONS[reason] ?? reason)
    .join(", ");
}
