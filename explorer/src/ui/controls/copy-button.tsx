import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const FEEDBACK_MS = 1_500;

/** Copies a string; `isCopied` is true for a moment afterwards. */
export function useCopied(text: string): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return [isCopied, () => void navigator.clipboard.writeText(text).then(() => setCopied(true))];
}

/** Copies a string; `what` describes it, e.g. `address`. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, copy] = useCopied(text);
  return (
    <IconButton label={isCopied ? "Copied" : `Copy ${what}`} onClick={copy}>
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </IconButton>
  );
}
