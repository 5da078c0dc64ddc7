import { EventEmitter } from "node:events";
import { type FromWorker, linkTo, type PrimaryLink, type ToWorker, type WorkerLink } from "../messages.ts";

/** Makes both ends of a link within one process. Messages arrive later, as JSON, and in order. */
export function localLink(): { worker: WorkerLink; primary: PrimaryLink; close(): void } {
  const ends = { worker: new EventEmitter(), primary: new EventEmitter() };
  const link = { connected: true };
  const endOf = (own: EventEmitter, other: EventEmitter) =>
    Object.assign(own, {
      get connected() {
        return link.connected;
      },
      send(message: unknown) {
        const sent = JSON.stringify(message);
        queueMicrotask(() => link.connected && other.emit("message", JSON.parse(sent)));
        return true;
      },
    });
  const worker = linkTo<FromWorker, ToWorker>(endOf(ends.worker, ends.primary), "exit");
  const primary = linkTo<ToWorker, FromWorker>(endOf(ends.primary, ends.worker), "disconnect");
  const close = () => {
    link.connected = false;
    ends.worker.emit("exit");
  };
  return { worker, primary, close };
}
