import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { Freshness } from "./freshness.tsx";
import { Header } from "./header.tsx";
import { useHeartbeat } from "./heartbeat.ts";
import { OutageBanner } from "./outage-banner.tsx";
import styles from "./shell.module.css";
import { UnknownChain, useUnknownChain } from "./unknown-chain.tsx";

/** What every page stands in. */
export function Shell() {
  useHeartbeat();
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
