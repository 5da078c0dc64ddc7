import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { statusQuestion } from "../questions/status.ts";
import { Badge } from "../ui/badge.tsx";
import { useChain } from "./chain.ts";
import styles from "./chain-switch.module.css";

/** Names the chain; a choice where there are several. */
export function ChainSwitch() {
  const { data } = useQuery(statusQuestion());
  const navigate = useNavigate();
  const current = useChain();
  const names = data?.chains.map(({ chain }) => chain) ?? [];
  if (names.length < 2) {
    return (
      <span className={styles.only}>
        {names.length === 0 ? null : <Badge tone="quiet">{names[0]}</Badge>}
      </span>
    );
  }
  return (
    <label>
      <span className="visually-hidden">Chain</span>
      <select
        className="field"
        value={current ?? ""}
        onChange={({ target }) => void navigate({ to: "/$chain", params: { chain: target.value } })}
      >
        {current === null || names.includes(current) ? null : (
          <option value={current} disabled>
            {current} (not indexed)
          </option>
        )}
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
