import styles from "./home.module.css";

/** Instructions shown until the first block is indexed. */
export function NothingIndexed({ chain, message }: { chain: string | null; message: string | null }) {
  return (
    <div className={styles.commands}>
      <h1>{chain === null ? "No chain is indexed yet" : `No block of ${chain} is indexed yet`}</h1>
      {message === null ? null : <p role="status">{message}</p>}
      <p className={styles.quiet}>
        This page updates with the first indexed block. If no indexer is running, start one:
      </p>
      <Command title="Index a chain from a node and serve it">
        npx quarry start --chain {chain ?? "eth"} --rpc https://node.example
      </Command>
      <Command title="Or try everything on a local chain with a live market">npm start</Command>
    </div>
  );
}

function Command({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      {title}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <pre tabIndex={0}>{children}</pre>
    </div>
  );
}
