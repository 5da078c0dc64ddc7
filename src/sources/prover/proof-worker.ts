import { parentPort } from "node:worker_threads";
import { type ProofJob, runJob } from "./proof-jobs.ts";

/** A thread that proves blocks. Responds to the messages in order. */
parentPort?.on("message", (job: ProofJob) => parentPort?.postMessage(runJob(job)));
