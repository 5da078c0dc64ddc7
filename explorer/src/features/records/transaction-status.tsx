import { Badge } from "../../ui/feedback/badge.tsx";

/** Whether a transaction did what it was to do. */
export function TransactionStatus({ status }: { status: number | null }) {
  if (status === 1) return <Badge tone="up">Success</Badge>;
  if (status === 0)
    return (
      <Badge tone="down" hint="It was reverted: it moved nothing, and its fee was paid.">
        Failed
      </Badge>
    );
  return (
    <Badge tone="quiet" hint="Before Byzantium, blocks did not tell whether a transaction succeeded.">
      Not told
    </Badge>
  );
}
