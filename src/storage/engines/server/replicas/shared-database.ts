/**
 * Settings of each statement in a database that replicas share behind one address, as in ClickHouse Cloud. A
 * replica learns of a write a moment later than the replica that carried it out. Without these settings, the
 * next statement could therefore miss rows of a commit, or another process's claim to a lease.
 */
export const SHARED_DATABASE_SETTINGS: Record<string, string> = { select_sequential_consistency: "1" };

/** The cluster that has all replicas of a service of ClickHouse Cloud. */
export const SHARED_CLUSTER = "default";
