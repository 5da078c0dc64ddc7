import { Link } from "@tanstack/react-router";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import styles from "./page-failure.module.css";

/** Replaces a page that failed to load or render; the header stays. */
export function PageFailure({ error }: { error: unknown }) {
  return (
    <div role="alert" className={styles.failure}>
      <h1>This page failed to load</h1>
      <p>
        Reload it: it may be incomplete, or from an older version of the service. If it fails again, go{" "}
        <Link to="/">home</Link> or search above, and report this error to the operator of the service:
      </p>
      <code className={styles.reason}>{error instanceof Error ? error.message : String(error)}</code>
      <Button weight="primary" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}

export function NotFoundPage() {
  return (
    <Notice>
      Page not found. Search above for a token, pool, wallet, transaction or block, or go{" "}
      <Link to="/">home</Link>.
    </Notice>
  );
}
