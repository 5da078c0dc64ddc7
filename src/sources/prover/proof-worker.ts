import { parentPort } from "node:worker_threads";
import { type ProofJob, runJob } from "./proof-jobs.ts";

/** Runs in a thread that proves blocks. Responds to messages in order. */
parentPort?.on("message", (job: ProofJob) => parentPort?.postMessage(runJob(job)));
