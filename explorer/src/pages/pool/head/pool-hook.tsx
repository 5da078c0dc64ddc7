import { Link } from "@tanstack/react-router";
import type { Hook, Pool } from "../../../queries/pool/pool.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { amountsText, hookPermissions, mayChangeAmounts } from "./hook.ts";
import styles from "./pool-hook.module.css";

interface PoolHookProps {
  pool: Pick<Pool, "chain" | "protocol">;
  hook: Hook;
}

/** The contract that a pool calls, and what it may do. */
export function PoolHook({ pool: { chain, protocol }, hook: { address, flags } }: PoolHookProps) {
  return (
    <Panel title="Hook">
      <div className={styles.body}>
        <p className={styles.address}>
          <Link to="/$chain/wallet/$address" params={{ chain, address }}>
            <code>{address}</code>
          </Link>
          <CopyButton text={address} what="hook address" />
        </p>
        {mayChangeAmounts(flags) ? (
          <p className={styles.warning} role="note">
            {amountsText(protocol)}
          </p>
        ) : null}
        <Permissions flags={flags} />
      </div>
    </Panel>
  );
}

function Permissions({ flags }: { flags: number }) {
  const permissions = hookPermissions(flags);
  if (permissions === null) return <p>Its other permissions are unknown.</p>;
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
