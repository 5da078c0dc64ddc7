import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const SHOWN_MS = 1_500;

/** Copies a text; `what` names it, e.g. `address`. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <IconButton label={isCopied ? "Copied" : `Copy ${what}`} onClick={() => void copy()}>
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </IconButton>
  );
}
