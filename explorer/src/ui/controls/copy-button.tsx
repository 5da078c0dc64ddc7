import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const SHOWN_MS = 1_500;

/** Copies a text; and whether that was done a moment ago, to be shown. */
export function useCopied(text: string): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return [isCopied, () => void navigator.clipboard.writeText(text).then(() => setCopied(true))];
}

/** Copies a text; `what` names it, e.g. `address`. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, copy] = useCopied(text);
  return (
    <IconButton label={isCopied ? "Copied" : `Copy ${what}`} onClick={copy}>
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </IconButton>
  );
}
