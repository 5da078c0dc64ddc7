import type { ReactNode } from "react";
import styles from "./button.module.css";

interface ButtonProps {
  children: ReactNode;
  onClick: () => void;
  /** `primary` for what the page is there for; one a page. */
  weight?: "plain" | "primary";
  disabled?: boolean;
}

export function Button({ children, onClick, weight = "plain", disabled = false }: ButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      data-weight={weight}
      onClick={onClick}
      disabled={disabled}
    >
      {children}
    </button>
  );
}

/** A button that shows a picture; its label is for those who cannot see that, and for the pointer that rests. */
export function IconButton({ label, onClick, children }: { label: string } & ButtonProps) {
  return (
    <button type="button" className={styles.icon} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}
