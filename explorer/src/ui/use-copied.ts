import { useEffect, useState } from "react";

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
