import { Badge } from "../../ui/feedback/badge.tsx";

export function TransactionStatus({ status }: { status: number | null }) {
  if (status === 1) return <Badge tone="up">Success</Badge>;
  if (status === 0)
    return (
      <Badge tone="down" hint="Reverted: it had no effect, but its fee was paid.">
        Failed
      </Badge>
    );
  return (
    <Badge tone="quiet" hint="Before the Byzantium fork, receipts did not contain a status.">
      Unknown
    </Badge>
  );
}
