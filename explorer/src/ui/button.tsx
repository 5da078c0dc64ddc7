import type { ReactNode } from "react";
import styles from "./button.module.css";

interface ButtonProps {
  children: ReactNode;
  /** `submit` does what its form does. */
  type?: "button" | "submit";
  onClick?: () => void;
  /** `primary` for what the page is there for; one a page. */
  weight?: "plain" | "primary";
  disabled?: boolean;
}

export function Button({
  children,
  type = "button",
  weight = "plain",
  disabled = false,
  onClick,
}: ButtonProps) {
  return (
    <button type={type} className={styles.button} data-weight={weight} onClick={onClick} disabled={disabled}>
      {children}
    </button>
  );
}

interface IconButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** A button that shows a picture; its label is for those who cannot see that, and for the pointer that rests. */
export function IconButton({ label, onClick, children }: IconButtonProps) {
  return (
    <button type="button" className={styles.icon} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}
