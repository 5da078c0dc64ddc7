import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { statusQuery } from "../../queries/chain/status.ts";
import { useChain, useChainStatus } from "../../queries/chain/use-chain.ts";
import { UnknownChain, useUnknownChain } from "../errors/unknown-chain.tsx";
import { useLiveRefresh } from "../live-refresh.ts";
import { Freshness } from "./freshness.tsx";
import { Header } from "./header.tsx";
import styles from "./shell.module.css";
import { verificationText } from "./verification-text.ts";

/** The frame of every page: header, content, footer. */
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
          <Link to="/operations">Operations</Link> · <a href="/docs">API</a> ·{" "}
          <a href="/openapi.json">OpenAPI</a>
          <Verification />
        </span>
      </footer>
      <OutageBanner />
    </div>
  );
}

function Verification() {
  const status = useChainStatus(useChain());
  const text = status === undefined ? null : verificationText(status);
  return text === null ? null : ` · ${text}`;
}

/** Shown while the service does not respond. It overlays the page, so the content does not move. */
function OutageBanner() {
  const { error, data } = useQuery(statusQuery());
  return (
    <div role="status">
      {error === null ? null : (
        <p className={styles.banner}>
          The service is not responding: {error.message}. Retrying
          {data === undefined ? "…" : "; the page shows the last data received."}
        </p>
      )}
    </div>
  );
}
