import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import { type ApiRequest, clientCode, curlCommand } from "../../format/api-request.ts";
import { hasKey } from "../../queries/service/client.ts";
import { Choice } from "./choice.tsx";
import { CopyButton } from "./copy-button.tsx";
import styles from "./copy-request.module.css";

const FORMS = [
  { value: "curl", title: "curl" },
  { value: "client", title: "TypeScript" },
] as const;

/** Tells how to ask the service for what is shown; `what` names it, e.g. `candles`. */
export function CopyRequest({ what, request }: { what: string; request: ApiRequest }) {
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger} aria-label={`Copy the request of these ${what}`}>
        Copy as request
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" collisionPadding={12} className={styles.place}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>The request of these {what}</Popover.Title>
            <RequestCode request={request} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function RequestCode({ request }: { request: ApiRequest }) {
  const [form, choose] = useState<"curl" | "client">("curl");
  const at = { url: location.origin, key: hasKey() };
  const text = form === "curl" ? curlCommand(request, at) : clientCode(request, at);
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
