import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Search } from "../../features/search/search.tsx";
import { statusQuery } from "../../queries/chain/status.ts";
import { useChain } from "../../queries/chain/use-chain.ts";
import { IconButton } from "../../ui/controls/button.tsx";
import { MoonIcon, SunIcon } from "../../ui/controls/icons.tsx";
import { Badge } from "../../ui/feedback/badge.tsx";
import { setTheme, useTheme } from "../../ui/theme.ts";
import styles from "./header.module.css";

export function Header() {
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.brand} aria-label="Quarry, home">
        <img src="/quarry.svg" alt="" width={26} height={26} />
        <span className={styles.name}>Quarry</span>
      </Link>
      <div className={styles.search}>
        <Search />
      </div>
      <nav className={styles.links} aria-label="Main">
        <ChainSwitch />
        <Link to="/sql" className={styles.link} activeProps={{ className: styles.active ?? "" }}>
          SQL
        </Link>
        <a href="/docs" className={styles.link}>
          API
        </a>
        <ThemeButton />
      </nav>
    </header>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <IconButton label={`Switch to ${other} colours`} onClick={() => setTheme(other)}>
      {theme === "dark" ? <SunIcon /> : <MoonIcon />}
    </IconButton>
  );
}

/** Shows the current chain and, if there are several, lets the user switch to another. */
function ChainSwitch() {
  const { data } = useQuery(statusQuery());
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
