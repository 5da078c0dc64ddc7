import { z } from "zod";
import { scopeOf } from "../../../chains/chain.ts";
import { sqlSchema } from "../../../reads/client-sql/sql-schema.ts";
import { endpoint } from "../../endpoint/endpoint.ts";

const column = z.strictObject({
  name: z.string(),
  type: z.string().describe("type of the values in a JSON response"),
  nullable: z.boolean(),
  unit: z.string().nullable(),
  doc: z.string(),
});

const table = z.strictObject({
  name: z.string(),
  chain: z.string(),
  doc: z.string(),
  columns: z.array(column).describe("in the order of SELECT *"),
  example: z.string().describe("example query over the table"),
});

const sqlFunction = z.strictObject({
  name: z.string(),
  synonyms: z.array(z.string()).describe("synonyms"),
  signature: z.string(),
  doc: z.string(),
  example: z.string().describe("example expression"),
  aggregate: z.boolean(),
});

export const sqlSchemaEndpoint = endpoint({
  name: "getSqlSchema",
  methods: ["GET"],
  scope: "sql",
  path: "/v1/sql/schema",
  title: "SQL schema",
  summary: "The SQL schema for editors: tables with their columns, functions and keywords.",
  parameters: {},
  answer: z.strictObject({
    tables: z.array(table),
    functions: z.array(sqlFunction),
    keywords: z.array(z.string()),
  }),
  example: {
    parameters: {},
    answer: {
      tables: [
        {
          name: "eth_blocks",
          chain: "eth",
          doc: "Blocks.",
          columns: [
            {
              name: "timestamp",
              type: "string (ISO 8601)",
              nullable: false,
              unit: null,
              doc: "block time",
            },
          ],
          example: "SELECT COUNT(*) AS blocks FROM eth_blocks",
        },
      ],
      functions: [
        {
          name: "COUNT",
          synonyms: [],
          signature: "COUNT(*)",
          doc: "number of rows",
          example: "COUNT(*)",
          aggregate: true,
        },
      ],
      keywords: ["FROM", "SELECT"],
    },
  },
  cost: "nothing",
  async handle(_values, { reader }) {
    const chains = reader.chains.map(({ chain }) => ({ name: chain.name, scope: scopeOf(chain) }));
    return { body: sqlSchema(chains), asOf: null };
  },
});
