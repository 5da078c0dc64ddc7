import { Transform, type TransformCallback } from "node:stream";
import { BaseError } from "../../src/lib/error.ts";

const BEFORE_TRACES = Buffer.from('"traces":[');
const AFTER_TRACES = Buffer.from('],"exit":');

/** Removes call traces from a node's dump. They make up nine tenths of it and are not used. */
export class TraceRemover extends Transform {
  #isInTraces = false;
  /** The last bytes, which may be the beginning of a mark that the next chunk completes. */
  #rest = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#rest = this.#passOn(Buffer.concat([this.#rest, chunk]));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#isInTraces) {
      done(new IncompleteDump());
      return;
    }
    this.push(this.#rest);
    done();
  }

  /** Passes on the bytes outside traces. Returns the bytes that must wait for the next chunk. */
  #passOn(bytes: Buffer): Buffer<ArrayBuffer> {
    let from = 0;
    for (;;) {
      const mark = this.#isInTraces ? AFTER_TRACES : BEFORE_TRACES;
      const at = bytes.indexOf(mark, from);
      const end = at < 0 ? Math.max(from, bytes.length - mark.length + 1) : at + mark.length;
      if (!this.#isInTraces) this.push(bytes.subarray(from, end));
      if (at < 0) return Buffer.from(bytes.subarray(end));
      if (this.#isInTraces) this.push(mark);
      this.#isInTraces = !this.#isInTraces;
      from = end;
    }
  }
}

class IncompleteDump extends BaseError {
  constructor() {
    super("internal", "The dump of the demo chain's state ends within its traces.");
  }
}
