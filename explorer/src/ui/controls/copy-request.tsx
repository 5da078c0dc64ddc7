import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import { type ApiRequest, clientCode, curlCommand } from "../../format/api-request.ts";
import { hasKey } from "../../queries/service/client.ts";
import { Choice } from "./choice.tsx";
import { CopyButton } from "./copy-button.tsx";
import styles from "./copy-request.module.css";

const FORMATS = [
  { value: "curl", title: "curl" },
  { value: "client", title: "TypeScript" },
] as const;

/** Shows the API request for the displayed data; `what` describes the data, e.g. `candles`. */
export function CopyRequest({ what, request }: { what: string; request: ApiRequest }) {
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger} aria-label={`Copy the request for these ${what}`}>
        API request
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" collisionPadding={12} className={styles.place}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>API request for these {what}</Popover.Title>
            <RequestCode request={request} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function RequestCode({ request }: { request: ApiRequest }) {
  const [format, setFormat] = useState<"curl" | "client">("curl");
  const service = { url: location.origin, key: hasKey() };
  const text = format === "curl" ? curlCommand(request, service) : clientCode(request, service);
  return (
    <>
      <div className={styles.forms}>
        <Choice label="Format" options={FORMATS} value={format} onChange={setFormat} />
        <CopyButton text={text} what="request" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    </>
  );
}
