import { type Operations, QuarryError } from "@quarry/sdk";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { statusQuery } from "../../queries/chain/status.ts";
import { hasKey } from "../../queries/service/client.ts";
import { isDenied, operationsQuery } from "../../queries/service/operations.ts";
import { Button } from "../../ui/controls/button.tsx";
import { KeyForm } from "../../ui/feedback/notice.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Page, PageHead, useTitle } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { BlockAges } from "./ages/block-ages.tsx";
import { Attention } from "./attention.tsx";
import { Chains } from "./chains.tsx";
import { Engines, Processes } from "./memory.tsx";
import styles from "./operations.module.css";
import { isOutdated, Outdated } from "./outdated.tsx";
import { Queues } from "./queues.tsx";
import { Refusals } from "./refusals.tsx";
import { Resources } from "./resources.tsx";
import { RpcEndpoints } from "./rpc-endpoints.tsx";
import { SlowRequests } from "./slow/slow-requests.tsx";

const CHAINS_PX = 84;
const AGES_PX = 240;
const LOAD_PX = 900;

/** The page for the operator of a service: lag, endpoints, queues, memory, slow requests. */
export function OperationsPage() {
  const status = useQuery(statusQuery());
  const operations = useQuery(operationsQuery());
  useTitle("Operations · Quarry");
  return (
    <Page>
      <PageHead>
        <h1>Operations</h1>
        <span className={styles.quiet}>Updates every two seconds</span>
      </PageHead>
      <Outdated query={status} what="The chains and endpoints" />
      {isDenied(operations.error) ? null : <Outdated query={operations} what="The service's figures" />}
      <Attention
        status={status.data}
        operations={isDenied(operations.error) ? undefined : operations.data}
        isCurrent={!isOutdated(status) && !isOutdated(operations)}
      />
      <Panel title="Chains">
        <QueryContent query={status} height={CHAINS_PX}>
          {({ chains }) => <Chains chains={chains} />}
        </QueryContent>
      </Panel>
      <Panel title="Age of new blocks">
        <QueryContent query={status} height={AGES_PX}>
          {({ chains }) => <BlockAges chains={chains} />}
        </QueryContent>
      </Panel>
      <Panel title="RPC endpoints">
        <QueryContent query={status} height={CHAINS_PX}>
          {({ chains }) => <RpcEndpoints chains={chains} />}
        </QueryContent>
      </Panel>
      <ServiceState query={operations} />
    </Page>
  );
}

function ServiceState({ query }: { query: UseQueryResult<Operations> }) {
  const { error } = query;
  if (error !== null && isDenied(error))
    return <NotPermitted error={error} retry={() => void query.refetch()} />;
  const content = (
    <QueryContent query={query} height={LOAD_PX}>
      {(operations) => (
        <>
          <SlowRequests slow={operations.slow_requests} />
          <Queues queues={operations.queues} />
          <Processes processes={operations.processes} />
          <div className={styles.columns}>
            <Resources resources={operations.resources} />
            <Page>
              <Engines engines={operations.engines} />
              <Refusals responses={operations.responses} refusals={operations.refusals} />
            </Page>
          </div>
        </>
      )}
    </QueryContent>
  );
  return query.data === undefined ? <Panel title="Service">{content}</Panel> : content;
}

/** Explains who may read the rest of the page, and offers a form for another key if the service has keys. */
function NotPermitted({ error, retry }: { error: Error; retry: () => void }) {
  const hasKeys = hasKey() || (error instanceof QuarryError && error.status === 401);
  return (
    <Panel title="Not permitted">
      <div className={styles.denied} role="alert">
        <p>{error.message}</p>
        <p className={styles.quiet}>
          Queues, memory and slow requests show what other clients are doing, so only the operator of the
          service may see them.{" "}
          {hasKeys ? (
            <>
              Create a key for this page with{" "}
              <code>quarry keys create operator --scopes data,sql,operations</code>.
            </>
          ) : null}
        </p>
        {hasKeys ? <KeyForm onSaved={retry} /> : <Button onClick={retry}>Try again</Button>}
      </div>
    </Panel>
  );
}
