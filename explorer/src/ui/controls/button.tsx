import type { MouseEvent, ReactNode } from "react";
import styles from "./button.module.css";

interface ButtonProps {
  children: ReactNode;
  /** `submit` does what its form does. */
  type?: "button" | "submit";
  onClick?: () => void;
  /** `primary` for what the page is there for; one a page. */
  weight?: "plain" | "primary";
  /** It does nothing now. It can be reached all the same: who pressed it and stays there is not thrown off the page's order. */
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
      onClick={disabled ? refuse : onClick}
      aria-disabled={disabled || undefined}
    >
      {children}
    </button>
  );
}

function refuse(event: MouseEvent): void {
  event.preventDefault();
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
