import { Link } from "@tanstack/react-router";
import { Notice } from "../ui/notice.tsx";

export function NotFoundPage() {
  return (
    <Notice>
      There is no such page. Search above for a token, pool, wallet, transaction or block, or go{" "}
      <Link to="/">home</Link>.
    </Notice>
  );
}
