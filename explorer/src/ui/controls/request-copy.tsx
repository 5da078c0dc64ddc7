import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import { clientText, curlText, type ToldRequest } from "../../format/api-request.ts";
import { hasKey } from "../../queries/service/client.ts";
import { Choice } from "./choice.tsx";
import { CopyButton } from "./copy-button.tsx";
import styles from "./request-copy.module.css";

const FORMS = [
  { value: "curl", title: "curl" },
  { value: "client", title: "TypeScript" },
] as const;

/** Tells how to ask the service for what is shown; `what` names it, e.g. `candles`. */
export function RequestCopy({ what, request }: { what: string; request: ToldRequest }) {
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger} aria-label={`Copy the request of these ${what}`}>
        Copy as request
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" collisionPadding={12} className={styles.place}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>The request of these {what}</Popover.Title>
            <Told request={request} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Told({ request }: { request: ToldRequest }) {
  const [form, choose] = useState<"curl" | "client">("curl");
  const at = { url: location.origin, key: hasKey() };
  const text = form === "curl" ? curlText(request, at) : clientText(request, at);
  return (
    <>
      <div className={styles.forms}>
        <Choice label="Form of the request" options={FORMS} value={form} onChange={choose} />
        <CopyButton text={text} what="request" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    </>
  );
}
