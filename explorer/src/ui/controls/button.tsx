import type { MouseEvent, ReactNode } from "react";
import styles from "./button.module.css";

interface ButtonProps {
  children: ReactNode;
  type?: "button" | "submit";
  onClick?: () => void;
  /** `primary` for the page's main action; at most one per page. */
  weight?: "plain" | "primary";
  /** Disables the click. The button can still be focused, so it keeps focus after it is pressed. */
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
    <button
      type={type}
      className={styles.button}
      data-weight={weight}
      onClick={disabled ? preventDefault : onClick}
      aria-disabled={disabled || undefined}
    >
      {children}
    </button>
  );
}

function preventDefault(event: MouseEvent): void {
  event.preventDefault();
}

interface IconButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** A button with an icon; the label is its tooltip and accessible name. */
export function IconButton({ label, onClick, children }: IconButtonProps) {
  return (
    <button type="button" className={styles.icon} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}
