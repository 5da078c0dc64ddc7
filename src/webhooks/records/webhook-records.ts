import { integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../../storage/store.ts";
import { type TableHost, tableEngine } from "../../storage/tables/table-engine.ts";
import { tableExists } from "../../storage/tables/table-exists.ts";
import { NEW_STATE, type SignedWebhook, type WebhookState } from "../webhook.ts";

/**
 * The tables of webhooks and of their states. Each write of a row increments its version. Timestamps would
 * not work as versions: clocks differ between machines and can go backwards.
 */
export const WEBHOOK_TABLES = [
  {
    name: "webhooks",
    create: (host: TableHost) => sql`CREATE TABLE IF NOT EXISTS webhooks
      (id String, definition String, secret String, removed UInt8, version UInt64)
      ${tableEngine(host, sql`ReplacingMergeTree(version)`, sql`ORDER BY id`)}`,
  },
  {
    name: "webhook_states",
    create: (host: TableHost) => sql`CREATE TABLE IF NOT EXISTS webhook_states
      (id String, state String, version UInt64)
      ${tableEngine(host, sql`ReplacingMergeTree(version)`, sql`ORDER BY id`)}`,
  },
];

/** A webhook as it is stored. */
export interface StoredWebhook extends SignedWebhook {
  version: number;
}

export interface StoredState extends WebhookState {
  version: number;
}

/**
 * The webhooks of a store. Commands write their definitions, and the process that delivers them writes their
 * states, so neither overwrites what the other has written.
 */
export class WebhookRecords {
  readonly #engine: Engine;
  #exists = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Reads all webhooks, oldest first. */
  async all(): Promise<StoredWebhook[]> {
    if (!(await this.#isCreated())) return [];
    const rows = await this.#engine.query<{
      id: string;
      definition: string;
      secret: string;
      version: number | string;
    }>(sql`SELECT id, definition, secret, version FROM webhooks FINAL WHERE removed = 0`);
    return rows
      .map(({ definition, version, ...row }) => ({
        ...row,
        ...(JSON.parse(definition) as Omit<SignedWebhook, "id" | "secret">),
        version: Number(version),
      }))
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** Reads the state of a webhook. Returns the state of a new webhook if none is stored. */
  async stateOf(id: string): Promise<StoredState> {
    if (!(await this.#isCreated())) return { ...NEW_STATE, version: 0 };
    const [row] = await this.#engine.query<{ state: string; version: number | string }>(
      sql`SELECT state, version FROM webhook_states FINAL WHERE id = ${text(id)}`,
    );
    if (row === undefined) return { ...NEW_STATE, version: 0 };
    return { ...NEW_STATE, ...(JSON.parse(row.state) as WebhookState), version: Number(row.version) };
  }

  /** Adds a webhook if its `version` is 0; otherwise updates it. */
  async save({ id, secret, version, ...definition }: StoredWebhook): Promise<void> {
    for (const { create } of WEBHOOK_TABLES) await this.#engine.execute(create(this.#engine));
    await this.#write(id, {
      definition: JSON.stringify(definition),
      secret,
      removed: 0,
      version: version + 1,
    });
  }

  async remove({ id, version }: StoredWebhook): Promise<void> {
    await this.#write(id, { definition: "{}", secret: "", removed: 1, version: version + 1 });
  }

  async saveStates(states: ReadonlyMap<string, StoredState>): Promise<void> {
    const rows = Array.from(states, ([id, { version, ...state }]) => {
      return sql`(${text(id)}, ${text(JSON.stringify(state))}, ${integer(version)})`;
    });
    await this.#engine.execute(sql`INSERT INTO webhook_states VALUES ${join(rows)}`);
  }

  async #write(id: string, { definition, secret, removed, version }: Row): Promise<void> {
    const values = [text(id), text(definition), text(secret), integer(removed), integer(version)];
    await this.#engine.execute(sql`INSERT INTO webhooks VALUES (${join(values)})`);
  }

  /**
   * Returns whether the tables exist. Readers check this first, because they must not create tables: the disk
   * may be full, and most services have no webhooks.
   */
  async #isCreated(): Promise<boolean> {
    // This table is created last: if it exists, so does the other one.
    this.#exists ||= await tableExists(this.#engine, "webhook_states");
    return this.#exists;
  }
}

interface Row {
  definition: string;
  secret: string;
  removed: number;
  version: number;
}
