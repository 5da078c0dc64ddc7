import type { Clock } from "../../lib/async/clock.ts";
import type { Logger } from "../../lib/log.ts";
import { requireKept, type StoredScope } from "../../schema/scope.ts";
import type { Lease } from "../../storage/commits/writer-lease.ts";
import type { StoredWebhook, WebhookRecords } from "../records/webhook-records.ts";
import { type Rules, readRules } from "../rules/read-rules.ts";
import { type RunnerOptions, WebhookRunner } from "./webhook-runner.ts";

export interface DelivererOptions {
  records: Pick<WebhookRecords, "all" | "stateOf">;
  /** Chains that this process serves. */
  chains: readonly string[];
  /** Returns the stored scope of a chain. */
  scopeOf(chain: string): StoredScope;
  /** Maximum number of webhooks that this process delivers. */
  maxWebhooks: number;
  /** Acquires the right to deliver the webhooks of a chain. Resolves with null if another process has it. */
  acquire(chain: string): Promise<Lease | null>;
  runner: RunnerOptions;
  clock: Clock;
  logger: Logger;
}

/** Interval between reads of the stored webhooks. A command takes effect after at most this long. */
const LOOK_MS = 2_000;

interface Running {
  runner: WebhookRunner;
  /** Version of the definition that the runner uses. */
  version: number;
  ended: Promise<void>;
}

/** Delivers all webhooks of the chains for which this process has the right to deliver. */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #stop = new AbortController();
  readonly #leases = new Map<string, Lease>();
  readonly #acquiring = new Set<string>();
  readonly #running = new Map<string, Running>();
  /** Reasons why webhooks are not delivered, by webhook id: each reason is logged once. */
  readonly #refused = new Map<string, string>();
  /** Number of webhooks that could not be delivered when the stored webhooks were last read. */
  #undelivered = 0;
  #looking: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  get runners(): WebhookRunner[] {
    return [...this.#running.values()].map(({ runner }) => runner);
  }

  /**
   * Number of webhooks that this process has the right to deliver but cannot deliver, for example because of
   * invalid rules.
   */
  get refused(): number {
    return this.#undelivered;
  }

  start(): void {
    this.#looking = this.#run();
  }

  /** Stops deliveries in progress: they are repeated after the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#looking;
    await this.#stopRunners(() => true);
    await Promise.all([...this.#leases.values()].map((lease) => lease.release()));
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.look();
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
  }

  /** Starts and stops runners according to the stored webhooks. */
  async look(): Promise<void> {
    try {
      // Lost leases are dropped even if the webhooks cannot be read.
      await this.#dropLostLeases();
      await this.#apply(await this.#options.records.all());
      this.#report(null);
    } catch (error) {
      this.#report(error as Error);
    }
  }

  async #apply(stored: readonly StoredWebhook[]): Promise<void> {
    const served = stored.filter(({ chain }) => this.#options.chains.includes(chain));
    for (const chain of new Set(served.map(({ chain }) => chain))) this.#acquire(chain);
    const held = served.filter((one) => this.#leases.has(one.chain));
    const { chains, maxWebhooks } = this.#options;
    const wanted = held.slice(0, maxWebhooks);
    const versions = new Map(wanted.map(({ id, version }) => [id, version]));
    await this.#stopRunners((id, { version }) => versions.get(id) !== version);
    for (const webhook of wanted) if (!this.#running.has(webhook.id)) await this.#start(webhook);
    for (const one of stored) {
      if (!chains.includes(one.chain)) this.#logOnce(one, `this process does not serve chain ${one.chain}`);
    }
    for (const one of held.slice(maxWebhooks))
      await this.#refuse(
        one,
        `it is not among the ${maxWebhooks} oldest webhooks, and --hooks allows no more`,
      );
    this.#undelivered = held.filter(({ id }) => !this.#running.has(id)).length;
  }

  async #dropLostLeases(): Promise<void> {
    const lost = [...this.#leases].filter(([, lease]) => !lease.isHeld);
    const chains = new Set(lost.map(([chain]) => chain));
    for (const chain of chains) this.#leases.delete(chain);
    await this.#stopRunners((_, { runner }) => chains.has(runner.webhook.chain));
    for (const [, lease] of lost) await lease.release();
  }

  /**
   * Acquires the right to deliver the webhooks of a chain. Runs in the background, because another process
   * that starts at the same time may keep it waiting.
   */
  #acquire(chain: string): void {
    if (this.#leases.has(chain) || this.#acquiring.has(chain)) return;
    this.#acquiring.add(chain);
    void this.#options
      .acquire(chain)
      .then(async (lease) => {
        if (lease === null) return;
        if (this.#stop.signal.aborted) await lease.release();
        else this.#leases.set(chain, lease);
      })
      // Another process was faster, or the store failed; the next call of `look` tries again.
      .catch(() => undefined)
      .finally(() => this.#acquiring.delete(chain));
  }

  async #start(webhook: StoredWebhook): Promise<void> {
    const { records, runner: options } = this.#options;
    const { id, version, chain } = webhook;
    const lease = this.#leases.get(chain);
    if (lease === undefined) return;
    const rules = this.#rulesOf(webhook);
    if (rules instanceof Error) return this.#refuse(webhook, rules.message);
    const stored = await records.stateOf(id);
    // Clears the error of an earlier refusal.
    const state = stored.failingSince === null ? { ...stored, error: null } : stored;
    this.#refused.delete(id);
    const requireHeld = () => lease.requireHeld();
    const runner = new WebhookRunner(webhook, { rules, state, requireHeld }, options);
    this.#running.set(id, { runner, version, ended: runner.run() });
  }

  /**
   * Reads the rules of a webhook. Returns an error if a table that they need is not stored, or if they were
   * added with another version of Quarry and are not valid in this one.
   */
  #rulesOf({ chain, rules: given }: StoredWebhook): Rules | Error {
    const { chains, scopeOf, clock } = this.#options;
    try {
      const rules = readRules(given, { method: "POST", now: Math.floor(clock.now() / 1000), chains });
      for (const { table } of rules.events) requireKept(chain, scopeOf(chain), table);
      return rules;
    } catch (error) {
      return error as Error;
    }
  }

  /** Logs why a webhook is not delivered, and makes `quarry hooks list` show the reason. */
  async #refuse(webhook: StoredWebhook, error: string): Promise<void> {
    if (!this.#logOnce(webhook, error)) return;
    const { records, runner } = this.#options;
    const state = await records.stateOf(webhook.id);
    this.#leases.get(webhook.chain)?.requireHeld();
    // Earlier failures no longer matter.
    const refused = { ...state, failingSince: null, error, version: state.version + 1 };
    await runner.save(webhook.id, refused);
  }

  /** Logs why a webhook is not delivered. Returns false if this reason was logged before. */
  #logOnce({ id, version, chain }: StoredWebhook, reason: string): boolean {
    const known = `${version} ${reason}`;
    if (this.#refused.get(id) === known) return false;
    this.#refused.set(id, known);
    this.#options.logger.error({ webhook: id, chain, reason }, "a webhook cannot be delivered");
    return true;
  }

  async #stopRunners(isOver: (id: string, running: Running) => boolean): Promise<void> {
    const over = [...this.#running].filter(([id, running]) => isOver(id, running));
    for (const [, { runner }] of over) runner.stop();
    for (const [id, { ended }] of over) {
      await ended;
      this.#running.delete(id);
    }
  }

  /** Logs the first of a series of failures to read the webhooks, and the end of the series. */
  #report(error: Error | null): void {
    if (this.#isFailing === (error !== null)) return;
    this.#isFailing = error !== null;
    const { logger } = this.#options;
    if (error === null) logger.info("webhooks can be read again");
    else if (!this.#stop.signal.aborted) logger.warn({ reason: error.message }, "cannot read the webhooks");
  }
}
