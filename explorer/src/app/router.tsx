import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
} from "@tanstack/react-router";
import { ADDRESS, HASH, POOL } from "../format/hex.ts";
import { HomePage } from "../pages/home/home-page.tsx";
import { parseHomeSearch } from "../pages/home/home-search.ts";
import { parsePoolSearch } from "../pages/pool/pool-search.ts";
import { parseSqlSearch } from "../pages/sql/sql-search.ts";
import { parseTokenSearch } from "../pages/token/token-search.ts";
import { NotFoundPage, PageFailure } from "./errors/page-failure.tsx";
import { Shell } from "./frame/shell.tsx";
import { parseSearch, writeSearch } from "./search-params.ts";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: parseHomeSearch,
  component: HomePage,
});

const chainHome = createRoute({
  getParentRoute: () => root,
  path: "/$chain",
  params: { parse: ({ chain }) => ({ chain: validated(chain, CHAIN) }) },
  validateSearch: parseHomeSearch,
  component: HomePage,
});

const token = createRoute({
  getParentRoute: () => root,
  path: "/$chain/token/$address",
  params: { parse: subjectParser("address", ADDRESS) },
  validateSearch: parseTokenSearch,
  component: lazyRouteComponent(() => import("../pages/token/token-page.tsx"), "TokenPage"),
});

const pool = createRoute({
  getParentRoute: () => root,
  path: "/$chain/pool/$address",
  params: { parse: subjectParser("address", POOL) },
  validateSearch: parsePoolSearch,
  component: lazyRouteComponent(() => import("../pages/pool/pool-page.tsx"), "PoolPage"),
});

const wallet = createRoute({
  getParentRoute: () => root,
  path: "/$chain/wallet/$address",
  params: { parse: subjectParser("address", ADDRESS) },
  // Whether stablecoins are excluded; named like the API's parameter.
  validateSearch: ({ total_exclude }: Record<string, unknown>): { total_exclude?: true } =>
    String(total_exclude) === "true" ? { total_exclude: true } : {},
  component: lazyRouteComponent(() => import("../pages/wallet/wallet-page.tsx"), "WalletPage"),
});

const transaction = createRoute({
  getParentRoute: () => root,
  path: "/$chain/tx/$hash",
  params: { parse: subjectParser("hash", HASH) },
  component: lazyRouteComponent(() => import("../pages/transaction/transaction-page.tsx"), "TransactionPage"),
});

const block = createRoute({
  getParentRoute: () => root,
  path: "/$chain/block/$number",
  params: { parse: subjectParser("number", /^\d{1,15}$/) },
  component: lazyRouteComponent(() => import("../pages/block/block-page.tsx"), "BlockPage"),
});

const sql = createRoute({
  getParentRoute: () => root,
  path: "/sql",
  validateSearch: parseSqlSearch,
  component: lazyRouteComponent(() => import("../pages/sql/sql-page.tsx"), "SqlPage"),
});

const operations = createRoute({
  getParentRoute: () => root,
  path: "/operations",
  component: lazyRouteComponent(() => import("../pages/operations/operations-page.tsx"), "OperationsPage"),
});

const CHAIN = /^[a-z0-9][a-z0-9_-]*$/i;

/** Returns a parser that validates a page's chain and subject and converts them to lower case. */
function subjectParser<Name extends string>(name: Name, pattern: RegExp) {
  return (params: Record<"chain" | Name, string>): Record<"chain" | Name, string> => ({
    ...params,
    chain: validated(params.chain, CHAIN),
    [name]: validated(params[name], pattern),
  });
}

function validated(text: string, pattern: RegExp): string {
  if (!pattern.test(text)) throw notFound();
  return text.toLowerCase();
}

export const router = createRouter({
  routeTree: root.addChildren([home, sql, operations, chainHome, token, pool, wallet, transaction, block]),
  defaultPreload: "intent",
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
  parseSearch,
  stringifySearch: writeSearch,
  // Drops search parameters that the page's `validateSearch` does not return.
  search: { strict: true },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
