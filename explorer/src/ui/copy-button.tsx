import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import { useCopied } from "./use-copied.ts";

/** Copies a text; `what` names it, e.g. `address`. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, copy] = useCopied(text);
  return (
    <IconButton label={isCopied ? "Copied" : `Copy ${what}`} onClick={copy}>
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </IconButton>
  );
}
