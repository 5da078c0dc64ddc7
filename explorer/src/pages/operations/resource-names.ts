import type { Operations } from "@quarry/sdk";

export type ResourceName = Operations["resources"][number]["resource"];

/**
 * Each entry names the setting that limits the resource, because the operator can change it; null if no
 * setting limits it.
 */
export const RESOURCES: Record<
  ResourceName,
  { name: string; unit: "count" | "bytes"; setting: string | null }
> = {
  connections: { name: "Connections", unit: "count", setting: "--connections" },
  streams: { name: "Streams", unit: "count", setting: "--streams" },
  requests_waiting_for_event_loop: { name: "Waiting for the event loop", unit: "count", setting: null },
  delayed_rejections: { name: "Delayed rejections", unit: "count", setting: "--delayed-rejections" },
  request_body_bytes: { name: "Request bodies", unit: "bytes", setting: "--body-memory" },
  answer_memory_bytes: { name: "Responses in memory", unit: "bytes", setting: "--answer-memory" },
  answer_disk_bytes: { name: "Responses in files", unit: "bytes", setting: "--answer-disk" },
  unread_answer_bytes: { name: "Unread responses", unit: "bytes", setting: null },
  unread_stream_bytes: { name: "Unread stream frames", unit: "bytes", setting: "--stream-memory" },
  cached_sql_bytes: { name: "Cached SQL answers", unit: "bytes", setting: "--sql-cache-memory" },
  serving_memory_bytes: {
    name: "Serving memory",
    unit: "bytes",
    setting: "--serving-memory, per chain",
  },
};
