/**
 * Returns how much of a limited resource one client may have: half of what the other clients leave free. So
 * there is always something left for the next client, however many clients have as much as they may.
 *
 * @param others how much the other clients have
 * @param total how much there is for all clients
 */
export function fairShare(others: number, total: number): number {
  return (total - others) / 2;
}
