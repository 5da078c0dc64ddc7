import { useChainStatus } from "../../app/chain.ts";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { reasonOf } from "./missing-reason.ts";

/** Why there is no such block here, and whether there will be. */
export function MissingBlock({ chain, number }: { chain: string; number: number }) {
  const status = useChainStatus(chain);
  return (
    <Panel title="Not here">
      <Notice>
        {status === undefined ? `No chain "${chain}" is indexed here.` : reasonOf(status, number)}
      </Notice>
    </Panel>
  );
}
