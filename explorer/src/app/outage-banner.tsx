import { useQuery } from "@tanstack/react-query";
import { statusQuestion } from "../questions/status.ts";
import styles from "./outage-banner.module.css";

/** Says that the service is away, over the page, so that nothing of it moves; goes by itself once it answers. */
export function OutageBanner() {
  const { error, data } = useQuery(statusQuestion());
  return (
    <div role="status">
      {error === null ? null : (
        <p className={styles.banner}>
          The service does not answer: {error.message}. Trying again
          {data === undefined ? "." : "; what you see is as of its last answer."}
        </p>
      )}
    </div>
  );
}
