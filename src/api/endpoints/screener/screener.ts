import type { Chain } from "../../../chains/chain.ts";
import { joinScreens } from "../../../reads/screener/join-chains.ts";
import { EMPTY_SCREEN, screenIn } from "../../../reads/screener/kept-lists.ts";
import { type ChainScreen, readScreen } from "../../../reads/screener/screen-chain.ts";
import type { ScreenQuery } from "../../../reads/screener/screen-query.ts";
import { type ServedQuestion, servedReply } from "../../../reads/served/served.ts";
import { NothingIndexed, readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { endpoint, type QuestionCall } from "../../endpoint/endpoint.ts";
import { InvalidParameter } from "../../parameters/parameter.ts";
import { preview } from "../../parameters/preview.ts";
import { SCREENER_PARAMETERS, type ScreenerValues, screenQuery } from "./screener-parameters.ts";
import { presentPool, presentToken, type ScreenerAnswer, screenerAnswer } from "./screener-rows.ts";

export const screener = endpoint({
  name: "screener",
  methods: ["GET", "POST"],
  path: "/v1/screener",
  title: "Screener",
  summary:
    "Tokens or pools by volume, trades, traders, price change, liquidity or age: top lists, movers, and new tokens and pools. Spam is left out.",
  parameters: SCREENER_PARAMETERS,
  answer: screenerAnswer,
  example: {
    parameters: {
      kind: "token",
      chain: "eth",
      window: "1h",
      sortby: "price_change_pct",
      min_traders: 20,
      size: 1,
    },
    answer: {
      tokens: [
        {
          chain: "eth",
          token_address: "0x6982508145454ce325ddbe47a25d4ec3d2311933",
          token_symbol: "PEPE",
          token_name: "Pepe",
          volume_usd: 1864021.5,
          trades: 340,
          traders: 212,
          price_usd: 0.0000013,
          price_change_pct: 8.25,
          pools: 3,
          main_pool_address: "0xa43fe16908251ee70ef74718545e4fe6c5ccec9f",
          liquidity_usd: 12402113.25,
          created_timestamp: 1681480799,
          spam_reasons: null,
        },
      ],
      pools: [],
      total: 41,
      hidden_spam: 0,
      hidden_wash: 0,
      limited: false,
    },
  },
  cost: "read",
  questions(values, { reader }) {
    const query = screenQuery(values);
    const chains = chainsOf(values, reader);
    requireProtocol(query, chains);
    const isNamed = values.chain !== undefined;
    const questions = chains.map((chain) => screenQuestion(chain, query, isNamed));
    return servedReply(questions, (answers) => {
      const screen = joinScreens(
        query,
        answers.map(({ answer }) => answer),
      );
      const [only] = answers;
      return {
        body: present(screen, values),
        asOf: answers.length === 1 ? (only?.asOf ?? null) : null,
        asOfEach: answers.flatMap(({ asOf }) => asOf ?? []),
      };
    });
  },
});

function chainsOf({ chain }: ScreenerValues, { chains }: QuestionCall["reader"]): Chain[] {
  return chains.map((one) => one.chain).filter(({ name }) => chain === undefined || name === chain);
}

/** @throws InvalidParameter for a protocol that none of the chains has */
function requireProtocol({ protocol }: ScreenQuery, chains: readonly Chain[]): void {
  const known = [
    ...new Set(chains.flatMap(({ deployments }) => deployments.map((one) => one.protocol))),
  ].sort();
  if (protocol === null || known.includes(protocol)) return;
  throw new InvalidParameter("protocol", preview(protocol), `one of ${known.join(", ")}`);
}

/** Returns the question for one chain. In a list of all chains, a chain without a block has no rows. */
function screenQuestion({ name }: Chain, query: ScreenQuery, isNamed: boolean): ServedQuestion<ChainScreen> {
  return {
    chain: name,
    fromMemory: (memory) => screenIn(memory, query),
    fromEngine: async (reader, limits) => {
      try {
        return await readSnapshot(reader, name, limits, (snapshot) => readScreen(snapshot, query));
      } catch (error) {
        if (error instanceof NothingIndexed && !isNamed) return { answer: EMPTY_SCREEN, asOf: null };
        throw error;
      }
    },
  };
}

function present(screen: ChainScreen, { kind, page, size }: ScreenerValues): ScreenerAnswer {
  const rows = screen.rows.slice((page - 1) * size, page * size);
  return {
    tokens: kind === "token" ? rows.map(presentToken) : [],
    pools: kind === "pool" ? rows.map(presentPool) : [],
    ...{ total: screen.total, hidden_spam: screen.hiddenSpam, hidden_wash: screen.hiddenWash },
    limited: screen.isLimited,
  };
}
