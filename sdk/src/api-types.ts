// Made from the service's OpenAPI document by `npm run generate -w sdk`. Do not edit.

export interface paths {
    "/v1/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rows of a SELECT over the tables of the configured chains: as a JSON array, or in the format that `format` or Accept asks for. */
        post: operations["query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sql/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What SQL can ask for: tables with their columns, functions and keywords. For editors. */
        get: operations["getSqlSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/price/historical/ohlc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Price history of a token as candles (open, high, low, close). */
        get: operations["getPriceHistoricalOHLC"];
        put?: never;
        /** Price history of a token as candles (open, high, low, close). */
        post: operations["getPriceHistoricalOHLCByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/price/historical/tick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prices of single trades, newest first: one object for one token, an array of them for several. */
        get: operations["getPriceHistoricalTick"];
        put?: never;
        /** Prices of single trades, newest first: one object for one token, an array of them for several. */
        post: operations["getPriceHistoricalTickByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/price-api/batch-all-time-ohlc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** First, highest, lowest and newest price ever of each of up to 10,000 tokens, in request order; nulls where none is known. */
        get: operations["getBatchAllTimeOHLC"];
        put?: never;
        /** First, highest, lowest and newest price ever of each of up to 10,000 tokens, in request order; nulls where none is known. */
        post: operations["getBatchAllTimeOHLCByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/price-api/batch-latest-token-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Newest price of each of up to 10,000 tokens, in request order; nulls where none is known. */
        get: operations["getBatchLatestTokenPrices"];
        put?: never;
        /** Newest price of each of up to 10,000 tokens, in request order; nulls where none is known. */
        post: operations["getBatchLatestTokenPricesByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/price-api/batch-latest-price-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Price change over a period of each of up to 10,000 tokens, in request order; nulls where no price is known. */
        get: operations["getBatchLatestPriceChange"];
        put?: never;
        /** Price change over a period of each of up to 10,000 tokens, in request order; nulls where no price is known. */
        post: operations["getBatchLatestPriceChangeByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/market-api/batch-latest-pool-tvl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What each of up to 1,000 pools holds, and what that is worth, in request order; nulls where not known. */
        get: operations["getBatchLatestPoolTvl"];
        put?: never;
        /** What each of up to 1,000 pools holds, and what that is worth, in request order; nulls where not known. */
        post: operations["getBatchLatestPoolTvlByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet-api/batch-latest-total-performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What each of up to 1000 wallets with 100000 trades in all made on DEXes; further wallets are named in remainder. */
        get: operations["getBatchWalletLatestTotalPerformance"];
        put?: never;
        /** What each of up to 1000 wallets with 100000 trades in all made on DEXes; further wallets are named in remainder. */
        post: operations["getBatchWalletLatestTotalPerformanceByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet-api/latest-total-performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a wallet made on DEXes, all its tokens together. */
        get: operations["getWalletLatestTotalPerformance"];
        put?: never;
        /** What a wallet made on DEXes, all its tokens together. */
        post: operations["getWalletLatestTotalPerformanceByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet-api/latest-performance-per-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a wallet made on DEXes of each of its tokens, the largest total profit first. */
        get: operations["getWalletLatestPerformancePerToken"];
        put?: never;
        /** What a wallet made on DEXes of each of its tokens, the largest total profit first. */
        post: operations["getWalletLatestPerformancePerTokenByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is indexed of each chain, and how far it is behind. */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** 200 while the process is alive. */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** 200 while every chain can be asked about and advances; 503 with the reason while one cannot. */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters and gauges of the service and its indexer, for Prometheus. */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description of the service, as an OpenAPI 3.1 document. */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description one sentence: what is wrong, what is allowed */
            error: string;
        };
        QueryBody: {
            /** @description a SELECT, SHOW TABLES or DESCRIBE */
            query: string;
            /**
             * @description form of the answer; by default what the header Accept asks for, and json where that allows anything
             * @enum {string}
             */
            format?: "json" | "ndjson" | "csv" | "parquet" | "arrow";
        };
        QueryAnswer: {
            [key: string]: string | number | boolean | null;
        }[];
        GetSqlSchemaAnswer: {
            tables: {
                name: string;
                chain: string;
                doc: string;
                /** @description in the order of SELECT * */
                columns: {
                    name: string;
                    /** @description type of the values in a JSON answer */
                    type: string;
                    nullable: boolean;
                    unit: string | null;
                    doc: string;
                }[];
                /** @description a query over the table */
                example: string;
            }[];
            functions: {
                name: string;
                /** @description other names of it */
                synonyms: string[];
                signature: string;
                doc: string;
                /** @description an expression with it */
                example: string;
                aggregate: boolean;
            }[];
            keywords: string[];
        };
        GetPriceHistoricalOHLCBody: {
            /** @description token */
            token_address: string;
            /**
             * @description pool to take trades from; all considers every pool
             * @default all
             */
            pool_address?: string;
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_robust_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            /**
             * @description length of a candle, aligned to the unix epoch
             * @default 1d
             */
            interval?: string;
            /**
             * @description earliest timestamp_open
             * @default 0
             */
            from_timestamp?: number;
            /** @description latest timestamp_open; the newest candle holds this time; by default the time of the request */
            until_timestamp?: number;
            /**
             * @description most candles in the answer, after ordering
             * @default 100
             */
            max_size?: number;
            /**
             * @description desc: newest first; asc: oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description true: an interval without trades stands at the close before it; false: its prices are null
             * @default true
             */
            fill?: boolean;
            /**
             * @description adds volume and num_trades
             * @default false
             */
            with_volume?: boolean;
            /**
             * @description prev_close: open is the close before; first_trade: open is the first trade in the interval
             * @default prev_close
             * @enum {string}
             */
            open_method?: "prev_close" | "first_trade";
        };
        GetPriceHistoricalOHLCAnswer: {
            token_address: string;
            data: {
                /** @description start of the interval, inclusive, unix seconds */
                timestamp_open: number;
                /** @description end of the interval, inclusive, unix seconds */
                timestamp_close: number;
                /** Format: date-time */
                date_open: string;
                /** Format: date-time */
                date_close: string;
                /** @description USD per token */
                price_open: number | null;
                /** @description USD per token */
                price_high: number | null;
                /** @description USD per token */
                price_low: number | null;
                /** @description USD per token, of the last trade in the interval */
                price_close: number | null;
                /** @description USD, of all trades; with with_volume=true */
                volume?: number;
                /** @description all trades; with with_volume=true */
                num_trades?: number;
            }[];
        };
        GetPriceHistoricalTickBody: {
            /** @description token, or several; one that is listed twice counts once */
            token_address: string[];
            /**
             * @description pool to take trades from, or several; all considers every pool
             * @default all
             */
            pool_address?: string | string[];
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_robust_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            /** @description earliest time of a trade, unix seconds; by default ten days before until_timestamp */
            from_timestamp?: number;
            /** @description latest time of a trade, unix seconds; by default the time of the request */
            until_timestamp?: number;
            /**
             * @description most ticks of each token, the newest; at most 1,000,000 over all tokens
             * @default 100
             */
            size?: number;
        };
        GetPriceHistoricalTickAnswer: {
            token_address: string;
            token_symbol: string | null;
            token_name: string | null;
            /** @description newest first */
            data: {
                block_number: number;
                /** @description unix seconds */
                timestamp: number;
                transaction_hash: string;
                /** @description USD per token */
                price_usd: number;
                /** @description native coin per token */
                price_eth: number | null;
                /** @description tokens traded */
                amount_token: number | null;
            }[];
        } | {
            token_address: string;
            token_symbol: string | null;
            token_name: string | null;
            /** @description newest first */
            data: {
                block_number: number;
                /** @description unix seconds */
                timestamp: number;
                transaction_hash: string;
                /** @description USD per token */
                price_usd: number;
                /** @description native coin per token */
                price_eth: number | null;
                /** @description tokens traded */
                amount_token: number | null;
            }[];
        }[];
        GetBatchAllTimeOHLCBody: {
            /** @description tokens; one that is listed twice counts once */
            token_address: string[];
            /**
             * @description pool to take trades from; all considers every pool
             * @default all
             */
            pool_address?: string;
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_robust_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
        };
        GetBatchAllTimeOHLCAnswer: {
            token_address: string;
            /** @description USD per token, of the first trade with a price */
            price_open: number | null;
            /** @description USD per token */
            price_high: number | null;
            /** @description USD per token */
            price_low: number | null;
            /** @description USD per token, of the newest trade with a price */
            price_close: number | null;
            /** @description unix seconds */
            timestamp_open: number | null;
            /** @description unix seconds */
            timestamp_high: number | null;
            /** @description unix seconds */
            timestamp_low: number | null;
            /** @description unix seconds */
            timestamp_close: number | null;
            transaction_hash_open: string | null;
            /** @description of the first trade at that price */
            transaction_hash_high: string | null;
            /** @description of the first trade at that price */
            transaction_hash_low: string | null;
            transaction_hash_close: string | null;
        }[];
        GetBatchLatestTokenPricesBody: {
            /** @description tokens; one that is listed twice counts once */
            token_address: string[];
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_robust_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
        };
        GetBatchLatestTokenPricesAnswer: {
            token_address: string;
            token_symbol: string | null;
            token_name: string | null;
            block_number: number | null;
            /** @description unix seconds */
            timestamp: number | null;
            transaction_hash: string | null;
            /** @description native coin per token */
            price_eth: number | null;
            /** @description USD per token */
            price_usd: number | null;
        }[];
        GetBatchLatestPriceChangeBody: {
            /** @description tokens; one that is listed twice counts once */
            token_address: string[];
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            /** @description end of the period; by default the time of the request */
            timestamp?: number;
            /**
             * @description length of the period: <number><unit> with the unit s, m, h or d, at most 30d
             * @default 24h
             */
            lookback?: string;
        };
        GetBatchLatestPriceChangeAnswer: {
            token_address: string;
            /** @description start of the period, unix seconds */
            timestamp_open: number | null;
            /** @description end of the period, unix seconds */
            timestamp_close: number | null;
            /** @description USD per token, of the last trade at or before the start; of the first inside where there is none */
            price_open: number | null;
            /** @description USD per token, of the last trade at or before the end */
            price_close: number | null;
            /** @description change_abs in percent of price_open */
            change_pct: number | null;
            /** @description USD per token, price_close minus price_open */
            change_abs: number | null;
        }[];
        GetBatchLatestPoolTvlBody: {
            /** @description pools; one that is listed twice counts once */
            pool_address: string[];
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description which price of a token counts
             * @default price_token_usd_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h";
            /** @description time of the balances and prices; by default the time of the request */
            timestamp?: number;
        };
        GetBatchLatestPoolTvlAnswer: {
            data: {
                pool_address: string;
                /** @description block of the most recent swap in the pool */
                block_number: number | null;
                /** @description time of the most recent swap, unix seconds */
                timestamp: number | null;
                token_0_address: string | null;
                token_1_address: string | null;
                /** @description amount of token 0 in the pool, tokens */
                token_0_balance: number | null;
                /** @description amount of token 1 in the pool, tokens */
                token_1_balance: number | null;
                /** @description price of token 0 in force, USD */
                token_0_price_usd: number | null;
                /** @description price of token 1 in force, USD */
                token_1_price_usd: number | null;
                /** @description USD value of the balance of token 0 */
                token_0_balance_usd: number | null;
                /** @description USD value of the balance of token 1 */
                token_1_balance_usd: number | null;
                /** @description token_0_balance_usd plus token_1_balance_usd */
                tvl_usd: number | null;
                /** @description USD value of the stable coin's side, otherwise of the wrapped native coin's */
                liquidity_usd: number | null;
            }[];
        };
        GetBatchWalletLatestTotalPerformanceBody: {
            /** @description wallets, as senders of transactions; one that is listed twice counts once, and what is beyond 1000 wallets or 100000 trades comes back in remainder */
            wallet_address: string[];
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description true: trades of the chain's stable coins are left out
             * @default false
             */
            total_exclude?: boolean;
        };
        GetBatchWalletLatestTotalPerformanceAnswer: {
            /** @description by wallet address */
            data: {
                [key: string]: {
                    wallet_address: string;
                    /** @description tokens bought or sold */
                    total_tokens_traded: number;
                    /** @description realized_value minus total_investment, USD */
                    pnl: number | null;
                    /** @description realized_profit plus unrealized_profit, USD */
                    total_profit: number | null;
                    /** @description realized_value plus unrealized_value, USD */
                    total_value: number | null;
                    /** @description realized_investment plus unrealized_investment, USD */
                    total_investment: number | null;
                    /** @description total_profit relative to total_investment, percent; null without an investment */
                    total_return: number | null;
                    /** @description realized_value minus realized_investment, USD */
                    realized_profit: number | null;
                    /** @description revenue from sales: quantity sold times average selling price, USD */
                    realized_value: number | null;
                    /** @description cost of the tokens sold: quantity sold times average buying price, USD */
                    realized_investment: number | null;
                    /** @description realized_profit relative to total_investment, percent; null without an investment */
                    realized_return: number | null;
                    /** @description unrealized_value minus unrealized_investment, USD */
                    unrealized_profit: number | null;
                    /** @description value of tokens bought and not yet sold, at the latest robust price, USD */
                    unrealized_value: number | null;
                    /** @description cost of tokens not yet sold: quantity not sold times average buying price, USD */
                    unrealized_investment: number | null;
                    /** @description unrealized_profit relative to total_investment, percent; null without an investment */
                    unrealized_return: number | null;
                    /** @description fraction of the tokens whose total profit is positive; null without a token */
                    win_rate: number | null;
                    total_trades: number;
                    total_buys: number;
                    total_sells: number;
                    /** @description unix seconds; null without a trade */
                    first_trade_timestamp: number | null;
                    /** @description unix seconds; null without a trade */
                    last_trade_timestamp: number | null;
                    /** @description paid in purchases, USD */
                    total_buy_volume: number | null;
                    /** @description received in sales of what was bought, USD */
                    total_sell_volume: number | null;
                    /** @description with total_exclude: the stable coins that the wallet traded and that count nowhere here */
                    excluded?: {
                        total: string[];
                    };
                };
            };
            /** @description wallets that were not processed, for another request */
            remainder: string[];
        };
        GetWalletLatestTotalPerformanceBody: {
            /** @description wallet, as sender of transactions */
            wallet_address: string;
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description true: trades of the chain's stable coins are left out
             * @default false
             */
            total_exclude?: boolean;
            /**
             * @description of a wallet with more than 100000 trades, true: the newest 100000 count; false: it is refused
             * @default false
             */
            max_size_ok?: boolean;
        };
        GetWalletLatestTotalPerformanceAnswer: {
            wallet_address: string;
            /** @description tokens bought or sold */
            total_tokens_traded: number;
            /** @description realized_value minus total_investment, USD */
            pnl: number | null;
            /** @description realized_profit plus unrealized_profit, USD */
            total_profit: number | null;
            /** @description realized_value plus unrealized_value, USD */
            total_value: number | null;
            /** @description realized_investment plus unrealized_investment, USD */
            total_investment: number | null;
            /** @description total_profit relative to total_investment, percent; null without an investment */
            total_return: number | null;
            /** @description realized_value minus realized_investment, USD */
            realized_profit: number | null;
            /** @description revenue from sales: quantity sold times average selling price, USD */
            realized_value: number | null;
            /** @description cost of the tokens sold: quantity sold times average buying price, USD */
            realized_investment: number | null;
            /** @description realized_profit relative to total_investment, percent; null without an investment */
            realized_return: number | null;
            /** @description unrealized_value minus unrealized_investment, USD */
            unrealized_profit: number | null;
            /** @description value of tokens bought and not yet sold, at the latest robust price, USD */
            unrealized_value: number | null;
            /** @description cost of tokens not yet sold: quantity not sold times average buying price, USD */
            unrealized_investment: number | null;
            /** @description unrealized_profit relative to total_investment, percent; null without an investment */
            unrealized_return: number | null;
            /** @description fraction of the tokens whose total profit is positive; null without a token */
            win_rate: number | null;
            total_trades: number;
            total_buys: number;
            total_sells: number;
            /** @description unix seconds; null without a trade */
            first_trade_timestamp: number | null;
            /** @description unix seconds; null without a trade */
            last_trade_timestamp: number | null;
            /** @description paid in purchases, USD */
            total_buy_volume: number | null;
            /** @description received in sales of what was bought, USD */
            total_sell_volume: number | null;
            /** @description with total_exclude: the stable coins that the wallet traded and that count nowhere here */
            excluded?: {
                total: string[];
            };
        };
        GetWalletLatestPerformancePerTokenBody: {
            /** @description wallet, as sender of transactions */
            wallet_address: string;
            /**
             * @description chain
             * @default eth
             */
            chain?: string;
            /**
             * @description true: trades of the chain's stable coins are left out
             * @default false
             */
            total_exclude?: boolean;
            /**
             * @description of a wallet with more than 100000 trades, true: the newest 100000 count; false: it is refused
             * @default false
             */
            max_size_ok?: boolean;
        };
        GetWalletLatestPerformancePerTokenAnswer: {
            /** @description tokens of unknown profit last */
            data: {
                token_address: string;
                token_symbol: string | null;
                token_name: string | null;
                /** @description realized_value minus total_investment, USD */
                pnl: number | null;
                /** @description realized_profit plus unrealized_profit, USD */
                total_profit: number | null;
                /** @description realized_value plus unrealized_value, USD */
                total_value: number | null;
                /** @description realized_investment plus unrealized_investment, USD */
                total_investment: number | null;
                /** @description total_profit relative to total_investment, percent; null without an investment */
                total_return: number | null;
                /** @description realized_value minus realized_investment, USD */
                realized_profit: number | null;
                /** @description revenue from sales: quantity sold times average selling price, USD */
                realized_value: number | null;
                /** @description cost of the tokens sold: quantity sold times average buying price, USD */
                realized_investment: number | null;
                /** @description realized_profit relative to total_investment, percent; null without an investment */
                realized_return: number | null;
                /** @description unrealized_value minus unrealized_investment, USD */
                unrealized_profit: number | null;
                /** @description value of tokens bought and not yet sold, at the latest robust price, USD */
                unrealized_value: number | null;
                /** @description cost of tokens not yet sold: quantity not sold times average buying price, USD */
                unrealized_investment: number | null;
                /** @description unrealized_profit relative to total_investment, percent; null without an investment */
                unrealized_return: number | null;
                total_trades: number;
                total_buys: number;
                total_sells: number;
                /** @description unix seconds; null without a trade */
                first_trade_timestamp: number | null;
                /** @description unix seconds; null without a trade */
                last_trade_timestamp: number | null;
                /** @description paid in purchases, USD */
                total_buy_volume: number | null;
                /** @description received in sales of what was bought, USD */
                total_sell_volume: number | null;
                /** @description bought, tokens */
                total_buy_amount: number | null;
                /** @description sold, of what was bought, tokens */
                total_sell_amount: number | null;
                /** @description total_buy_volume by total_buy_amount; null without a purchase, USD per token */
                avg_buy_price: number | null;
                /** @description total_sell_volume by total_sell_amount; null without a sale, USD per token */
                avg_sell_price: number | null;
                /** @description bought and not sold, tokens */
                trading_balance: number | null;
                /** @description latest robust price; null where none is known, USD per token */
                current_price: number | null;
            }[];
        };
        GetStatusAnswer: {
            chains: {
                chain: string;
                chain_id: number;
                ready: boolean;
                /** @description what the indexer is busy with, or what is wrong */
                message: string | null;
                /** @description newest block of the chain; null when no indexer runs in this process */
                head_block: number | null;
                /** @description newest block that cannot be undone; null when unknown */
                finalized_block: number | null;
                finality: {
                    /** @constant */
                    kind: "tag";
                } | {
                    /** @constant */
                    kind: "depth";
                    blocks: number;
                };
                first_block: number | null;
                indexed_block: number | null;
                /** @description unix seconds */
                indexed_timestamp: number | null;
                indexed_block_hash: string | null;
                /** @description as X-Commit: counts the commits and rollbacks of the chain */
                commit: number | null;
                lag_blocks: number | null;
                /** @description age of the newest indexed block */
                lag_seconds: number | null;
                /** @description rows of each table up to indexed_block */
                rows: {
                    [key: string]: number;
                };
                /** @description the indexer's RPC endpoints; null when none runs in this process */
                endpoints: {
                    /** @description without credentials and keys */
                    url: string;
                    /** @description HTTP requests that were sent to it */
                    requests: number;
                    /** @description requests without a proper answer */
                    failures: number;
                    /** @description blocks that contradicted their own header, and heads that were not there */
                    lies: number;
                    /** @description moving average; null before the first answer */
                    latency_ms: number | null;
                    /** @description unix seconds; null while it is in good standing */
                    avoided_until: number | null;
                }[] | null;
                /** @description since the indexer started; null when none runs in this process */
                rollbacks: {
                    count: number;
                    /** @description most blocks that one rollback took back */
                    deepest: number;
                    /** @description unix seconds */
                    last_at: number | null;
                } | null;
            }[];
        };
        GetHealthAnswer: {
            /** @constant */
            alive: true;
        };
        GetReadyAnswer: {
            /** @constant */
            ready: true;
        };
        GetMetricsAnswer: string;
        GetOpenApiAnswer: {
            /** @constant */
            openapi: "3.1.0";
            info: {
                [key: string]: unknown;
            };
            servers: {
                [key: string]: unknown;
            }[];
            security: {
                [key: string]: string[];
            }[];
            paths: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            components: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        };
    };
    responses: {
        /** @description A parameter is missing or has the wrong form, or the question is not allowed. */
        BadInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The service needs an API key; none was given, or not a valid one. */
        BadKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The query took too long. */
        OutOfTime: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The header Accept allows none of the media types of the answer. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The URL is too long; send the parameters by POST where it is offered. */
        UrlTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not sent as application/json. */
        NotJson: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests are running and waiting. */
        Busy: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of the service; the sentence names the request id. */
        Fault: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description There is nothing to answer from yet, or the service is stopping. */
        NotReady: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description names the request in the log of the service */
        "X-Request-Id": string;
        /** @description the answer holds all blocks up to this one; absent where it depends on no block of one chain */
        "X-Indexed-Block": number;
        /** @description time of the block X-Indexed-Block, unix seconds */
        "X-Indexed-Timestamp": number;
        /** @description hash of the block X-Indexed-Block */
        "X-Indexed-Block-Hash": string;
        /** @description counts the commits and rollbacks of the chain: answers with equal numbers are as of the same blocks */
        "X-Commit": number;
        /** @description seconds to wait before asking again */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "SELECT COUNT(*) AS count FROM eth_blocks"
                 *     }
                 */
                "application/json": components["schemas"]["QueryBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    /** @description most rows that the answer may have */
                    "X-Row-Limit"?: number;
                    /** @description true when there are more rows than the answer may have */
                    "X-Truncated"?: boolean;
                    /** @description how long the query took, in milliseconds */
                    "X-Elapsed-Ms"?: number;
                    /** @description rows that the database read for the answer; absent where it does not tell (the embedded engine) */
                    "X-Rows-Read"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "count": 12
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["QueryAnswer"];
                    "application/x-ndjson": unknown;
                    "text/csv": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getSqlSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tables": [
                     *         {
                     *           "name": "eth_blocks",
                     *           "chain": "eth",
                     *           "doc": "Blocks.",
                     *           "columns": [
                     *             {
                     *               "name": "timestamp",
                     *               "type": "string (ISO 8601)",
                     *               "nullable": false,
                     *               "unit": null,
                     *               "doc": "time of the block"
                     *             }
                     *           ],
                     *           "example": "SELECT COUNT(*) AS blocks FROM eth_blocks"
                     *         }
                     *       ],
                     *       "functions": [
                     *         {
                     *           "name": "COUNT",
                     *           "synonyms": [],
                     *           "signature": "COUNT(*)",
                     *           "doc": "number of rows",
                     *           "example": "COUNT(*)",
                     *           "aggregate": true
                     *         }
                     *       ],
                     *       "keywords": [
                     *         "FROM",
                     *         "SELECT"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetSqlSchemaAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getPriceHistoricalOHLC: {
        parameters: {
            query: {
                /**
                 * @description token
                 * @example 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2
                 */
                token_address: string;
                /** @description pool to take trades from; all considers every pool */
                pool_address?: string;
                /** @description chain */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /**
                 * @description length of a candle, aligned to the unix epoch
                 * @example 1d
                 */
                interval?: string;
                /** @description earliest timestamp_open */
                from_timestamp?: number;
                /** @description latest timestamp_open; the newest candle holds this time; by default the time of the request */
                until_timestamp?: number;
                /**
                 * @description most candles in the answer, after ordering
                 * @example 1
                 */
                max_size?: number;
                /** @description desc: newest first; asc: oldest first */
                order?: "desc" | "asc";
                /** @description true: an interval without trades stands at the close before it; false: its prices are null */
                fill?: boolean;
                /**
                 * @description adds volume and num_trades
                 * @example true
                 */
                with_volume?: boolean;
                /** @description prev_close: open is the close before; first_trade: open is the first trade in the interval */
                open_method?: "prev_close" | "first_trade";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "data": [
                     *         {
                     *           "timestamp_open": 1704412800,
                     *           "timestamp_close": 1704499199,
                     *           "date_open": "2024-01-05T00:00:00Z",
                     *           "date_close": "2024-01-05T23:59:59Z",
                     *           "price_open": 2267.3,
                     *           "price_high": 2277.6,
                     *           "price_low": 2205.1,
                     *           "price_close": 2268.2,
                     *           "volume": 186402113.5,
                     *           "num_trades": 3040
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetPriceHistoricalOHLCAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getPriceHistoricalOHLCByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                 *       "interval": "1d",
                 *       "max_size": 1,
                 *       "with_volume": true
                 *     }
                 */
                "application/json": components["schemas"]["GetPriceHistoricalOHLCBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "data": [
                     *         {
                     *           "timestamp_open": 1704412800,
                     *           "timestamp_close": 1704499199,
                     *           "date_open": "2024-01-05T00:00:00Z",
                     *           "date_close": "2024-01-05T23:59:59Z",
                     *           "price_open": 2267.3,
                     *           "price_high": 2277.6,
                     *           "price_low": 2205.1,
                     *           "price_close": 2268.2,
                     *           "volume": 186402113.5,
                     *           "num_trades": 3040
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetPriceHistoricalOHLCAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getPriceHistoricalTick: {
        parameters: {
            query: {
                /**
                 * @description token, or several; one that is listed twice counts once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description pool to take trades from, or several; all considers every pool */
                pool_address?: string | string[];
                /** @description chain */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /** @description earliest time of a trade, unix seconds; by default ten days before until_timestamp */
                from_timestamp?: number;
                /** @description latest time of a trade, unix seconds; by default the time of the request */
                until_timestamp?: number;
                /**
                 * @description most ticks of each token, the newest; at most 1,000,000 over all tokens
                 * @example 1
                 */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "token_symbol": "WETH",
                     *       "token_name": "Wrapped Ether",
                     *       "data": [
                     *         {
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "price_usd": 2268.611,
                     *           "price_eth": 1,
                     *           "amount_token": 0.01
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetPriceHistoricalTickAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getPriceHistoricalTickByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token_address": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetPriceHistoricalTickBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "token_symbol": "WETH",
                     *       "token_name": "Wrapped Ether",
                     *       "data": [
                     *         {
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "price_usd": 2268.611,
                     *           "price_eth": 1,
                     *           "amount_token": 0.01
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetPriceHistoricalTickAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchAllTimeOHLC: {
        parameters: {
            query: {
                /**
                 * @description tokens; one that is listed twice counts once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description pool to take trades from; all considers every pool */
                pool_address?: string;
                /** @description chain */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "price_open": 2268.17,
                     *         "price_high": 2277.64,
                     *         "price_low": 2205.13,
                     *         "price_close": 2241.92,
                     *         "timestamp_open": 1704412823,
                     *         "timestamp_high": 1704440087,
                     *         "timestamp_low": 1704452411,
                     *         "timestamp_close": 1704455951,
                     *         "transaction_hash_open": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *         "transaction_hash_high": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
                     *         "transaction_hash_low": "0x82c97699fb60a3f82b8cfa14cf6640e181bce5a940cfa0f7511e94edb47e33b8",
                     *         "transaction_hash_close": "0x3c78e0a92d12b38375da794749bcf8e3e6ac25de29f4ffdf5a9a21f72e0dafde"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetBatchAllTimeOHLCAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchAllTimeOHLCByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token_address": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GetBatchAllTimeOHLCBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "price_open": 2268.17,
                     *         "price_high": 2277.64,
                     *         "price_low": 2205.13,
                     *         "price_close": 2241.92,
                     *         "timestamp_open": 1704412823,
                     *         "timestamp_high": 1704440087,
                     *         "timestamp_low": 1704452411,
                     *         "timestamp_close": 1704455951,
                     *         "transaction_hash_open": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *         "transaction_hash_high": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
                     *         "transaction_hash_low": "0x82c97699fb60a3f82b8cfa14cf6640e181bce5a940cfa0f7511e94edb47e33b8",
                     *         "transaction_hash_close": "0x3c78e0a92d12b38375da794749bcf8e3e6ac25de29f4ffdf5a9a21f72e0dafde"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetBatchAllTimeOHLCAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchLatestTokenPrices: {
        parameters: {
            query: {
                /**
                 * @description tokens; one that is listed twice counts once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description chain */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "token_symbol": "WETH",
                     *         "token_name": "Wrapped Ether",
                     *         "block_number": 17686121,
                     *         "timestamp": 1689280259,
                     *         "transaction_hash": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
                     *         "price_eth": 1,
                     *         "price_usd": 2004.51
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetBatchLatestTokenPricesAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchLatestTokenPricesByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token_address": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GetBatchLatestTokenPricesBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "token_symbol": "WETH",
                     *         "token_name": "Wrapped Ether",
                     *         "block_number": 17686121,
                     *         "timestamp": 1689280259,
                     *         "transaction_hash": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
                     *         "price_eth": 1,
                     *         "price_usd": 2004.51
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetBatchLatestTokenPricesAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchLatestPriceChange: {
        parameters: {
            query: {
                /**
                 * @description tokens; one that is listed twice counts once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description chain */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /**
                 * @description end of the period; by default the time of the request
                 * @example 1704455999
                 */
                timestamp?: number;
                /**
                 * @description length of the period: <number><unit> with the unit s, m, h or d, at most 30d
                 * @example 1h
                 */
                lookback?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "timestamp_open": 1704452399,
                     *         "timestamp_close": 1704455999,
                     *         "price_open": 2240,
                     *         "price_close": 2242.8,
                     *         "change_pct": 0.125,
                     *         "change_abs": 2.8
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetBatchLatestPriceChangeAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchLatestPriceChangeByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token_address": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "timestamp": 1704455999,
                 *       "lookback": "1h"
                 *     }
                 */
                "application/json": components["schemas"]["GetBatchLatestPriceChangeBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "timestamp_open": 1704452399,
                     *         "timestamp_close": 1704455999,
                     *         "price_open": 2240,
                     *         "price_close": 2242.8,
                     *         "change_pct": 0.125,
                     *         "change_abs": 2.8
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GetBatchLatestPriceChangeAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchLatestPoolTvl: {
        parameters: {
            query: {
                /**
                 * @description pools; one that is listed twice counts once
                 * @example [
                 *       "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"
                 *     ]
                 */
                pool_address: string[];
                /** @description chain */
                chain?: string;
                /** @description which price of a token counts */
                price_type?: "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h";
                /**
                 * @description time of the balances and prices; by default the time of the request
                 * @example 1704455999
                 */
                timestamp?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "pool_address": "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
                     *           "block_number": 18940012,
                     *           "timestamp": 1704455951,
                     *           "token_0_address": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                     *           "token_1_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_0_balance": 44800000,
                     *           "token_1_balance": 20000,
                     *           "token_0_price_usd": 1,
                     *           "token_1_price_usd": 2240,
                     *           "token_0_balance_usd": 44800000,
                     *           "token_1_balance_usd": 44800000,
                     *           "tvl_usd": 89600000,
                     *           "liquidity_usd": 44800000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetBatchLatestPoolTvlAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchLatestPoolTvlByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pool_address": [
                 *         "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"
                 *       ],
                 *       "timestamp": 1704455999
                 *     }
                 */
                "application/json": components["schemas"]["GetBatchLatestPoolTvlBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "pool_address": "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
                     *           "block_number": 18940012,
                     *           "timestamp": 1704455951,
                     *           "token_0_address": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                     *           "token_1_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_0_balance": 44800000,
                     *           "token_1_balance": 20000,
                     *           "token_0_price_usd": 1,
                     *           "token_1_price_usd": 2240,
                     *           "token_0_balance_usd": 44800000,
                     *           "token_1_balance_usd": 44800000,
                     *           "tvl_usd": 89600000,
                     *           "liquidity_usd": 44800000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetBatchLatestPoolTvlAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchWalletLatestTotalPerformance: {
        parameters: {
            query: {
                /**
                 * @description wallets, as senders of transactions; one that is listed twice counts once, and what is beyond 1000 wallets or 100000 trades comes back in remainder
                 * @example [
                 *       "0x28c6c06298d514db089934071355e5743bf21d60"
                 *     ]
                 */
                wallet_address: string[];
                /** @description chain */
                chain?: string;
                /** @description true: trades of the chain's stable coins are left out */
                total_exclude?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "0x28c6c06298d514db089934071355e5743bf21d60": {
                     *           "wallet_address": "0x28c6c06298d514db089934071355e5743bf21d60",
                     *           "total_tokens_traded": 1,
                     *           "pnl": -80,
                     *           "total_profit": 100,
                     *           "total_value": 300,
                     *           "total_investment": 200,
                     *           "total_return": 50,
                     *           "realized_profit": 40,
                     *           "realized_value": 120,
                     *           "realized_investment": 80,
                     *           "realized_return": 20,
                     *           "unrealized_profit": 60,
                     *           "unrealized_value": 180,
                     *           "unrealized_investment": 120,
                     *           "unrealized_return": 30,
                     *           "win_rate": 1,
                     *           "total_trades": 3,
                     *           "total_buys": 2,
                     *           "total_sells": 1,
                     *           "first_trade_timestamp": 1704412823,
                     *           "last_trade_timestamp": 1704455951,
                     *           "total_buy_volume": 200,
                     *           "total_sell_volume": 120
                     *         }
                     *       },
                     *       "remainder": []
                     *     }
                     */
                    "application/json": components["schemas"]["GetBatchWalletLatestTotalPerformanceAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getBatchWalletLatestTotalPerformanceByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_address": [
                 *         "0x28c6c06298d514db089934071355e5743bf21d60"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GetBatchWalletLatestTotalPerformanceBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "0x28c6c06298d514db089934071355e5743bf21d60": {
                     *           "wallet_address": "0x28c6c06298d514db089934071355e5743bf21d60",
                     *           "total_tokens_traded": 1,
                     *           "pnl": -80,
                     *           "total_profit": 100,
                     *           "total_value": 300,
                     *           "total_investment": 200,
                     *           "total_return": 50,
                     *           "realized_profit": 40,
                     *           "realized_value": 120,
                     *           "realized_investment": 80,
                     *           "realized_return": 20,
                     *           "unrealized_profit": 60,
                     *           "unrealized_value": 180,
                     *           "unrealized_investment": 120,
                     *           "unrealized_return": 30,
                     *           "win_rate": 1,
                     *           "total_trades": 3,
                     *           "total_buys": 2,
                     *           "total_sells": 1,
                     *           "first_trade_timestamp": 1704412823,
                     *           "last_trade_timestamp": 1704455951,
                     *           "total_buy_volume": 200,
                     *           "total_sell_volume": 120
                     *         }
                     *       },
                     *       "remainder": []
                     *     }
                     */
                    "application/json": components["schemas"]["GetBatchWalletLatestTotalPerformanceAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getWalletLatestTotalPerformance: {
        parameters: {
            query: {
                /**
                 * @description wallet, as sender of transactions
                 * @example 0x28c6c06298d514db089934071355e5743bf21d60
                 */
                wallet_address: string;
                /** @description chain */
                chain?: string;
                /**
                 * @description true: trades of the chain's stable coins are left out
                 * @example true
                 */
                total_exclude?: boolean;
                /** @description of a wallet with more than 100000 trades, true: the newest 100000 count; false: it is refused */
                max_size_ok?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet_address": "0x28c6c06298d514db089934071355e5743bf21d60",
                     *       "total_tokens_traded": 1,
                     *       "pnl": -80,
                     *       "total_profit": 100,
                     *       "total_value": 300,
                     *       "total_investment": 200,
                     *       "total_return": 50,
                     *       "realized_profit": 40,
                     *       "realized_value": 120,
                     *       "realized_investment": 80,
                     *       "realized_return": 20,
                     *       "unrealized_profit": 60,
                     *       "unrealized_value": 180,
                     *       "unrealized_investment": 120,
                     *       "unrealized_return": 30,
                     *       "win_rate": 1,
                     *       "total_trades": 3,
                     *       "total_buys": 2,
                     *       "total_sells": 1,
                     *       "first_trade_timestamp": 1704412823,
                     *       "last_trade_timestamp": 1704455951,
                     *       "total_buy_volume": 200,
                     *       "total_sell_volume": 120,
                     *       "excluded": {
                     *         "total": [
                     *           "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetWalletLatestTotalPerformanceAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getWalletLatestTotalPerformanceByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_address": "0x28c6c06298d514db089934071355e5743bf21d60",
                 *       "total_exclude": true
                 *     }
                 */
                "application/json": components["schemas"]["GetWalletLatestTotalPerformanceBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet_address": "0x28c6c06298d514db089934071355e5743bf21d60",
                     *       "total_tokens_traded": 1,
                     *       "pnl": -80,
                     *       "total_profit": 100,
                     *       "total_value": 300,
                     *       "total_investment": 200,
                     *       "total_return": 50,
                     *       "realized_profit": 40,
                     *       "realized_value": 120,
                     *       "realized_investment": 80,
                     *       "realized_return": 20,
                     *       "unrealized_profit": 60,
                     *       "unrealized_value": 180,
                     *       "unrealized_investment": 120,
                     *       "unrealized_return": 30,
                     *       "win_rate": 1,
                     *       "total_trades": 3,
                     *       "total_buys": 2,
                     *       "total_sells": 1,
                     *       "first_trade_timestamp": 1704412823,
                     *       "last_trade_timestamp": 1704455951,
                     *       "total_buy_volume": 200,
                     *       "total_sell_volume": 120,
                     *       "excluded": {
                     *         "total": [
                     *           "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetWalletLatestTotalPerformanceAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getWalletLatestPerformancePerToken: {
        parameters: {
            query: {
                /**
                 * @description wallet, as sender of transactions
                 * @example 0x28c6c06298d514db089934071355e5743bf21d60
                 */
                wallet_address: string;
                /** @description chain */
                chain?: string;
                /** @description true: trades of the chain's stable coins are left out */
                total_exclude?: boolean;
                /** @description of a wallet with more than 100000 trades, true: the newest 100000 count; false: it is refused */
                max_size_ok?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "pnl": -2000,
                     *           "total_profit": 400,
                     *           "total_value": 4400,
                     *           "total_investment": 4000,
                     *           "total_return": 10,
                     *           "realized_profit": 0,
                     *           "realized_value": 2000,
                     *           "realized_investment": 2000,
                     *           "realized_return": 0,
                     *           "unrealized_profit": 400,
                     *           "unrealized_value": 2400,
                     *           "unrealized_investment": 2000,
                     *           "unrealized_return": 10,
                     *           "total_trades": 2,
                     *           "total_buys": 1,
                     *           "total_sells": 1,
                     *           "first_trade_timestamp": 1704412823,
                     *           "last_trade_timestamp": 1704455951,
                     *           "total_buy_volume": 4000,
                     *           "total_sell_volume": 2000,
                     *           "total_buy_amount": 2,
                     *           "total_sell_amount": 1,
                     *           "avg_buy_price": 2000,
                     *           "avg_sell_price": 2000,
                     *           "trading_balance": 1,
                     *           "current_price": 2400
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetWalletLatestPerformancePerTokenAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getWalletLatestPerformancePerTokenByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_address": "0x28c6c06298d514db089934071355e5743bf21d60"
                 *     }
                 */
                "application/json": components["schemas"]["GetWalletLatestPerformancePerTokenBody"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "pnl": -2000,
                     *           "total_profit": 400,
                     *           "total_value": 4400,
                     *           "total_investment": 4000,
                     *           "total_return": 10,
                     *           "realized_profit": 0,
                     *           "realized_value": 2000,
                     *           "realized_investment": 2000,
                     *           "realized_return": 0,
                     *           "unrealized_profit": 400,
                     *           "unrealized_value": 2400,
                     *           "unrealized_investment": 2000,
                     *           "unrealized_return": 10,
                     *           "total_trades": 2,
                     *           "total_buys": 1,
                     *           "total_sells": 1,
                     *           "first_trade_timestamp": 1704412823,
                     *           "last_trade_timestamp": 1704455951,
                     *           "total_buy_volume": 4000,
                     *           "total_sell_volume": 2000,
                     *           "total_buy_amount": 2,
                     *           "total_sell_amount": 1,
                     *           "avg_buy_price": 2000,
                     *           "avg_sell_price": 2000,
                     *           "trading_balance": 1,
                     *           "current_price": 2400
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetWalletLatestPerformancePerTokenAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chains": [
                     *         {
                     *           "chain": "eth",
                     *           "chain_id": 1,
                     *           "ready": true,
                     *           "message": null,
                     *           "head_block": 17686121,
                     *           "finalized_block": 17686057,
                     *           "finality": {
                     *             "kind": "tag"
                     *           },
                     *           "first_block": 17686110,
                     *           "indexed_block": 17686121,
                     *           "indexed_timestamp": 1689280259,
                     *           "indexed_block_hash": "0x197c1d85de35d84353f8461c556e74fbe37c6cadce2c7a4fca989aecff4b715f",
                     *           "commit": 3,
                     *           "lag_blocks": 0,
                     *           "lag_seconds": 12,
                     *           "rows": {
                     *             "blocks": 12,
                     *             "transactions": 2258,
                     *             "logs": 5116
                     *           },
                     *           "endpoints": [
                     *             {
                     *               "url": "https://rpc.example/***",
                     *               "requests": 9024,
                     *               "failures": 2,
                     *               "lies": 0,
                     *               "latency_ms": 43,
                     *               "avoided_until": null
                     *             }
                     *           ],
                     *           "rollbacks": {
                     *             "count": 1,
                     *             "deepest": 1,
                     *             "last_at": 1689280200
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetStatusAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alive": true
                     *     }
                     */
                    "application/json": components["schemas"]["GetHealthAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ready": true
                     *     }
                     */
                    "application/json": components["schemas"]["GetReadyAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP quarry_lag_blocks Blocks between the newest of the chain and the newest that is indexed
                     *     # TYPE quarry_lag_blocks gauge
                     *     quarry_lag_blocks{chain="eth"} 0
                     */
                    "text/plain": components["schemas"]["GetMetricsAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Quarry",
                     *         "version": "1",
                     *         "summary": "Blocks, trades and prices of EVM chains, by SQL and REST.",
                     *         "description": "Unknown parameters are ignored. Numbers may come as text, booleans and addresses in any case; addresses are answered in lower case. A value of the wrong form is refused with a sentence that names it. Integers above 2^53 are strings; times are unix seconds, except in SQL rows (ISO 8601).",
                     *         "license": {
                     *           "name": "Apache-2.0",
                     *           "identifier": "Apache-2.0"
                     *         }
                     *       },
                     *       "servers": [
                     *         {
                     *           "url": "/",
                     *           "description": "the service that this document comes from"
                     *         }
                     *       ],
                     *       "security": [
                     *         {},
                     *         {
                     *           "keyInHeader": []
                     *         },
                     *         {
                     *           "keyAsBearer": []
                     *         },
                     *         {
                     *           "keyInQuery": []
                     *         }
                     *       ],
                     *       "paths": {},
                     *       "components": {
                     *         "schemas": {
                     *           "Problem": {
                     *             "type": "object",
                     *             "properties": {
                     *               "error": {
                     *                 "type": "string",
                     *                 "description": "one sentence: what is wrong, what is allowed"
                     *               }
                     *             },
                     *             "required": [
                     *               "error"
                     *             ]
                     *           }
                     *         },
                     *         "headers": {
                     *           "X-Request-Id": {
                     *             "description": "names the request in the log of the service",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "X-Indexed-Block": {
                     *             "description": "the answer holds all blocks up to this one; absent where it depends on no block of one chain",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "X-Indexed-Timestamp": {
                     *             "description": "time of the block X-Indexed-Block, unix seconds",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "X-Indexed-Block-Hash": {
                     *             "description": "hash of the block X-Indexed-Block",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "X-Commit": {
                     *             "description": "counts the commits and rollbacks of the chain: answers with equal numbers are as of the same blocks",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "Retry-After": {
                     *             "description": "seconds to wait before asking again",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           }
                     *         },
                     *         "responses": {
                     *           "BadInput": {
                     *             "description": "A parameter is missing or has the wrong form, or the question is not allowed.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "BadKey": {
                     *             "description": "The service needs an API key; none was given, or not a valid one.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "OutOfTime": {
                     *             "description": "The query took too long.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "NotAcceptable": {
                     *             "description": "The header Accept allows none of the media types of the answer.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "BodyTooLarge": {
                     *             "description": "The body is too large.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "UrlTooLong": {
                     *             "description": "The URL is too long; send the parameters by POST where it is offered.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "NotJson": {
                     *             "description": "The body is not sent as application/json.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "Busy": {
                     *             "description": "Too many requests are running and waiting.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "Retry-After": {
                     *                 "$ref": "#/components/headers/Retry-After"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "Fault": {
                     *             "description": "A fault of the service; the sentence names the request id.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "NotReady": {
                     *             "description": "There is nothing to answer from yet, or the service is stopping.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "Retry-After": {
                     *                 "$ref": "#/components/headers/Retry-After"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/Problem"
                     *                 }
                     *               }
                     *             }
                     *           }
                     *         },
                     *         "securitySchemes": {
                     *           "keyInHeader": {
                     *             "type": "apiKey",
                     *             "in": "header",
                     *             "name": "X-API-Key"
                     *           },
                     *           "keyAsBearer": {
                     *             "type": "http",
                     *             "scheme": "bearer"
                     *           },
                     *           "keyInQuery": {
                     *             "type": "apiKey",
                     *             "in": "query",
                     *             "name": "key",
                     *             "description": "or the field key of a JSON body"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetOpenApiAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
}
