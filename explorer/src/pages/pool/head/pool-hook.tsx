import { Link } from "@tanstack/react-router";
import type { Hook } from "../../../queries/pool/pool.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { hookPermissions, mayChangeAmounts } from "./hook.ts";
import styles from "./pool-hook.module.css";

/** The contract that a Uniswap V4 pool calls, and what it may do. */
export function PoolHook({ chain, hook: { address, flags } }: { chain: string; hook: Hook }) {
  return (
    <Panel title="Hook">
      <div className={styles.body}>
        <p className={styles.address}>
          <Link to="/$chain/wallet/$address" params={{ chain, address }}>
            <code>{address}</code>
          </Link>
          <CopyButton text={address} what="address of the hook" />
        </p>
        {mayChangeAmounts(flags) ? (
          <p className={styles.warning} role="note">
            This hook may change what swappers pay and receive. The amounts of trades therefore come from the
            transfers of their transactions; where these do not show them, they are unknown.
          </p>
        ) : null}
        <Permissions flags={flags} />
      </div>
    </Panel>
  );
}

function Permissions({ flags }: { flags: number }) {
  const permissions = hookPermissions(flags);
  if (permissions.length === 0) return <p>The hook has no permissions: the pool never calls it.</p>;
  return (
    <dl className={styles.permissions}>
      {permissions.map(({ name, meaning }) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
