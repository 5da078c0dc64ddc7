import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { statusQuery } from "../../queries/chain/status.ts";
import { UnknownChain, useUnknownChain } from "../errors/unknown-chain.tsx";
import { useLiveRefresh } from "../live-refresh.ts";
import { Freshness } from "./freshness.tsx";
import { Header } from "./header.tsx";
import styles from "./shell.module.css";

/** What every page stands in. */
export function Shell() {
  useLiveRefresh();
  const unknown = useUnknownChain();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header />
      <main id="content" className={styles.main} tabIndex={-1}>
        <Suspense fallback={<div className={styles.pending} aria-busy="true" />}>
          {unknown === null ? <Outlet /> : <UnknownChain chain={unknown} />}
        </Suspense>
      </main>
      <footer className={styles.footer}>
        <Freshness />
        <span>
          <a href="/docs">API</a> · <a href="/openapi.json">OpenAPI</a> · every block proven against its
          header
        </span>
      </footer>
      <OutageBanner />
    </div>
  );
}

/** Says that the service is away, over the page, so that nothing of it moves; goes by itself once it answers. */
export function OutageBanner() {
  const { error, data } = useQuery(statusQuery());
  return (
    <div role="status">
      {error === null ? null : (
        <p className={styles.banner}>
          The service does not answer: {error.message}. Trying again
          {data === undefined ? "." : "; what you see is as of its last answer."}
        </p>
      )}
    </div>
  );
}
