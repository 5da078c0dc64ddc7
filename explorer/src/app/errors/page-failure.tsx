import { Link } from "@tanstack/react-router";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import styles from "./page-failure.module.css";

/** In the place of a page that could not be drawn; the header stays. */
export function PageFailure({ error }: { error: unknown }) {
  return (
    <div role="alert" className={styles.failure}>
      <h1>This page cannot be shown</h1>
      <p>
        Load it again: it may have come from an older version of the service, or not have come whole. If it
        fails again, go <Link to="/">home</Link> or search above, and tell whoever runs this service what it
        says:
      </p>
      <code className={styles.reason}>{error instanceof Error ? error.message : String(error)}</code>
      <Button weight="primary" onClick={() => location.reload()}>
        Load again
      </Button>
    </div>
  );
}

export function NotFoundPage() {
  return (
    <Notice>
      There is no such page. Search above for a token, pool, wallet, transaction or block, or go{" "}
      <Link to="/">home</Link>.
    </Notice>
  );
}
