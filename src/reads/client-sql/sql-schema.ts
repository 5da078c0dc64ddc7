import type { TableName } from "../../schema/tables.ts";
import { describeTable } from "../../sql/catalogue/descriptions.ts";
import { docOf, type StoredChains, tablesOf } from "../../sql/catalogue/table-names.ts";
import { FUNCTIONS } from "../../sql/functions/functions.ts";
import { REFUSED_WORDS, RESERVED_WORDS } from "../../sql/parse/reserved-words.ts";
import { WHOLE_TEXT } from "../../sql/syntax/sql-error.ts";

/** Tables, functions and keywords of the dialect, for completion and help in editors. */
export interface SqlSchema {
  tables: SqlTable[];
  functions: SqlFunctionFacts[];
  keywords: string[];
}

interface SqlFunctionFacts {
  name: string;
  synonyms: string[];
  signature: string;
  doc: string;
  /** An example expression. */
  example: string;
  aggregate: boolean;
}

export interface SqlTable {
  name: string;
  chain: string;
  doc: string;
  /** The columns in the order of `SELECT *`, then the verdict columns. */
  columns: SqlColumn[];
  /** An example query. */
  example: string;
}

export interface SqlColumn {
  name: string;
  type: string;
  nullable: boolean;
  unit: string | null;
  doc: string;
}

/** Typical queries by table; the `*` before the table's name is the chain's prefix. */
const EXAMPLES: Partial<Record<TableName, string>> = {
  blocks:
    "SELECT HISTOGRAM(timestamp, INTERVAL 1 DAY) AS day, COUNT(*) AS blocks, AVG(gas_used) AS gas FROM *blocks GROUP BY day ORDER BY day",
  transactions:
    "SELECT from_address, COUNT(*) AS sent, SUM(transaction_fee_usd) AS fees_usd FROM *transactions WHERE timestamp >= NOW() - INTERVAL 1 DAY GROUP BY from_address ORDER BY sent DESC LIMIT 10",
  logs: "SELECT * FROM *logs ORDER BY record_index DESC LIMIT 10",
  erc20:
    "SELECT token_symbol, COUNT(*) AS transfers, SUM(value_usd) AS usd FROM *erc20 WHERE timestamp >= NOW() - INTERVAL 1 DAY GROUP BY token_symbol ORDER BY transfers DESC LIMIT 10",
  erc721:
    "SELECT token_name, COUNT(*) AS transfers FROM *erc721 GROUP BY token_name ORDER BY transfers DESC LIMIT 10",
  dex_trades:
    "SELECT HISTOGRAM(timestamp, INTERVAL 1 HOUR) AS hour, COUNT(*) AS trades, SUM(amount_usd) AS usd FROM *dex_trades WHERE timestamp >= NOW() - INTERVAL 7 DAYS GROUP BY hour ORDER BY hour",
  pool_metadata:
    "SELECT protocol, COUNT(*) AS pools FROM *pool_metadata GROUP BY protocol ORDER BY pools DESC",
  token_metadata: "SELECT * FROM *token_metadata WHERE token_symbol = 'USDC'",
  token_balances:
    "SELECT wallet_address, balance_token FROM *token_balances WHERE token_symbol = 'USDC' ORDER BY balance_token DESC LIMIT 10",
};

/** Returns the tables of these chains, and the functions and keywords of the dialect. */
export function sqlSchema(chains: StoredChains): SqlSchema {
  return {
    tables: tablesOf(chains).map((known) => {
      const { sqlName, chain, name } = known;
      const example = EXAMPLES[name] ?? `SELECT * FROM *${name} LIMIT 10`;
      return {
        name: sqlName,
        chain,
        doc: docOf(known),
        columns: columnsOf(sqlName, chains),
        example: example.replace(`*${name}`, sqlName),
      };
    }),
    functions: FUNCTIONS.map(
      ({ name, synonyms = [], signature, doc, example: [example], aggregate = false }) => ({
        name,
        synonyms: [...synonyms],
        signature,
        doc,
        example,
        aggregate,
      }),
    ),
    keywords: [...RESERVED_WORDS].filter((word) => !REFUSED_WORDS.has(word)).sort(),
  };
}

/** Returns the columns as DESCRIBE lists them. */
function columnsOf(sqlName: string, chains: StoredChains): SqlColumn[] {
  const { columns, rows } = describeTable({ text: sqlName, at: WHOLE_TEXT }, chains);
  return rows.map((row) => {
    const cell = (name: string) => row[columns.indexOf(name)] ?? "";
    return {
      name: cell("column"),
      type: cell("type"),
      nullable: cell("nullable") === "yes",
      unit: cell("unit") || null,
      doc: cell("description"),
    };
  });
}
