import { Link } from "@tanstack/react-router";
import { Search } from "../search/search.tsx";
import { IconButton } from "../ui/button.tsx";
import { MoonIcon, SunIcon } from "../ui/icons.tsx";
import { ChainSwitch } from "./chain-switch.tsx";
import styles from "./header.module.css";
import { setTheme, useTheme } from "./theme.ts";

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
