// Generated from the service's OpenAPI document by `npm run generate -w sdk`. Do not edit.

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
        /**
         * SQL query
         * @description Rows of a SELECT over the tables of the configured chains: as a JSON array, or in the format selected by `format` or Accept.
         */
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
        /**
         * SQL schema
         * @description The SQL schema for editors: tables with their columns, functions and keywords.
         */
        get: operations["getSqlSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topk-api/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top transactions
         * @description Top records of each group. Transactions with their execution results, including failed ones.
         */
        get: operations["getTopRecordsOfTransactions"];
        put?: never;
        /**
         * Top transactions
         * @description Top records of each group. Transactions with their execution results, including failed ones.
         */
        post: operations["getTopRecordsOfTransactionsByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topk-api/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top blocks
         * @description Top records of each group. Block headers.
         */
        get: operations["getTopRecordsOfBlocks"];
        put?: never;
        /**
         * Top blocks
         * @description Top records of each group. Block headers.
         */
        post: operations["getTopRecordsOfBlocksByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topk-api/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top logs
         * @description Top records of each group. Event logs, as emitted.
         */
        get: operations["getTopRecordsOfLogs"];
        put?: never;
        /**
         * Top logs
         * @description Top records of each group. Event logs, as emitted.
         */
        post: operations["getTopRecordsOfLogsByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topk-api/erc20": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top erc20
         * @description Top records of each group. Transfers of ERC-20 tokens.
         */
        get: operations["getTopRecordsOfErc20"];
        put?: never;
        /**
         * Top erc20
         * @description Top records of each group. Transfers of ERC-20 tokens.
         */
        post: operations["getTopRecordsOfErc20ByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topk-api/erc721": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top erc721
         * @description Top records of each group. Transfers of ERC-721 tokens (NFTs).
         */
        get: operations["getTopRecordsOfErc721"];
        put?: never;
        /**
         * Top erc721
         * @description Top records of each group. Transfers of ERC-721 tokens (NFTs).
         */
        post: operations["getTopRecordsOfErc721ByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topk-api/dex-trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top dex-trades
         * @description Top records of each group. DEX trades, priced in US dollars: one for each swap of a token against cash, two for any other swap.
         */
        get: operations["getTopRecordsOfDexTrades"];
        put?: never;
        /**
         * Top dex-trades
         * @description Top records of each group. DEX trades, priced in US dollars: one for each swap of a token against cash, two for any other swap.
         */
        post: operations["getTopRecordsOfDexTradesByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topk-api/token-balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top token-balances
         * @description Top records of each group. Token balances of wallets, as of their last change.
         */
        get: operations["getTopRecordsOfTokenBalances"];
        put?: never;
        /**
         * Top token-balances
         * @description Top records of each group. Token balances of wallets, as of their last change.
         */
        post: operations["getTopRecordsOfTokenBalancesByPost"];
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
        /**
         * Candles
         * @description Price history of a token as candles (open, high, low, close).
         */
        get: operations["getPriceHistoricalOHLC"];
        put?: never;
        /**
         * Candles
         * @description Price history of a token as candles (open, high, low, close).
         */
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
        /**
         * Ticks
         * @description Prices of individual trades, newest first: one object for one token, an array of objects for several.
         */
        get: operations["getPriceHistoricalTick"];
        put?: never;
        /**
         * Ticks
         * @description Prices of individual trades, newest first: one object for one token, an array of objects for several.
         */
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
        /**
         * All-time prices
         * @description First, highest, lowest and latest price ever of up to 10,000 tokens, in request order; null if unknown.
         */
        get: operations["getBatchAllTimeOHLC"];
        put?: never;
        /**
         * All-time prices
         * @description First, highest, lowest and latest price ever of up to 10,000 tokens, in request order; null if unknown.
         */
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
        /**
         * Latest prices
         * @description Latest price of up to 10,000 tokens, in request order; null if unknown.
         */
        get: operations["getBatchLatestTokenPrices"];
        put?: never;
        /**
         * Latest prices
         * @description Latest price of up to 10,000 tokens, in request order; null if unknown.
         */
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
        /**
         * Price changes
         * @description Price change over a period for up to 10,000 tokens, in request order; null if no price is known.
         */
        get: operations["getBatchLatestPriceChange"];
        put?: never;
        /**
         * Price changes
         * @description Price change over a period for up to 10,000 tokens, in request order; null if no price is known.
         */
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
        /**
         * Pool TVL
         * @description Balances and value of up to 1,000 pools, in request order; null if unknown.
         */
        get: operations["getBatchLatestPoolTvl"];
        put?: never;
        /**
         * Pool TVL
         * @description Balances and value of up to 1,000 pools, in request order; null if unknown.
         */
        post: operations["getBatchLatestPoolTvlByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/market-api/pool-tvl-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pool TVL over time
         * @description Balances and value of a pool at up to 1,000 points in time.
         */
        get: operations["getPoolTvlHistory"];
        put?: never;
        /**
         * Pool TVL over time
         * @description Balances and value of a pool at up to 1,000 points in time.
         */
        post: operations["getPoolTvlHistoryByPost"];
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
        /**
         * Performance of many wallets
         * @description DEX trading profit of up to 1000 wallets with 100000 trades in total; further wallets are listed in remainder.
         */
        get: operations["getBatchWalletLatestTotalPerformance"];
        put?: never;
        /**
         * Performance of many wallets
         * @description DEX trading profit of up to 1000 wallets with 100000 trades in total; further wallets are listed in remainder.
         */
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
        /**
         * Performance of a wallet
         * @description DEX trading profit of a wallet across all its tokens.
         */
        get: operations["getWalletLatestTotalPerformance"];
        put?: never;
        /**
         * Performance of a wallet
         * @description DEX trading profit of a wallet across all its tokens.
         */
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
        /**
         * Wallet performance per token
         * @description DEX trading profit of a wallet for each of its tokens, largest total profit first.
         */
        get: operations["getWalletLatestPerformancePerToken"];
        put?: never;
        /**
         * Wallet performance per token
         * @description DEX trading profit of a wallet for each of its tokens, largest total profit first.
         */
        post: operations["getWalletLatestPerformancePerTokenByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live stream
         * @description Trades, transfers, prices, candles, pools, tokens and blocks as they are indexed, as server-sent events or over WebSocket: a snapshot, then one frame for each block. Streams can be resumed, and report reorgs.
         */
        get: operations["stream"];
        put?: never;
        /**
         * Live stream
         * @description Trades, transfers, prices, candles, pools, tokens and blocks as they are indexed, as server-sent events or over WebSocket: a snapshot, then one frame for each block. Streams can be resumed, and report reorgs.
         */
        post: operations["streamByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search
         * @description Tokens and pools by symbol, name, pair or start of the address: exact symbols first, then those with accepted trades, then by volume. Spam is left out.
         */
        get: operations["search"];
        put?: never;
        /**
         * Search
         * @description Tokens and pools by symbol, name, pair or start of the address: exact symbols first, then those with accepted trades, then by volume. Spam is left out.
         */
        post: operations["searchByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screener": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Screener
         * @description Tokens or pools by volume, trades, traders, price change, liquidity or age: top lists, movers, and new tokens and pools. Spam is left out.
         */
        get: operations["screener"];
        put?: never;
        /**
         * Screener
         * @description Tokens or pools by volume, trades, traders, price change, liquidity or age: top lists, movers, and new tokens and pools. Spam is left out.
         */
        post: operations["screenerByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/udf/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chart configuration
         * @description What the datafeed offers: resolutions, search and marks, with the chains as exchanges.
         */
        get: operations["udfConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/udf/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chart symbol
         * @description How a chart shows a token's price in USD, across all pools or in one: name, decimals and resolutions.
         */
        get: operations["udfSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/udf/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chart symbol search
         * @description Symbols by name, as /v1/search finds them: tokens, then pools; without spam.
         */
        get: operations["udfSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/udf/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chart bars
         * @description The candles of /v1/price/historical/ohlc that have trades with an accepted price, as columns.
         */
        get: operations["udfHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/udf/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Service time
         * @description The time of the service in unix seconds, as text.
         */
        get: operations["udfTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/udf/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chart marks
         * @description Trades to mark: those whose price was not accepted, or all trades of a wallet; the 200 with the highest value, and at most 10 per bar.
         */
        get: operations["udfMarks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rpc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * JSON-RPC
         * @description Some of the other endpoints over JSON-RPC 2.0: one call or a list of calls.
         */
        post: operations["callMethod"];
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
        /**
         * Status
         * @description Indexing progress and lag of each chain.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operations
         * @description Queues, memory, refusals and slow requests, for the operator of the service.
         */
        get: operations["getOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/check-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Key usage
         * @description Usage and limits of the request's API key in the current month. Works even if its quota is used up.
         */
        get: operations["checkUsage"];
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
        /**
         * Liveness
         * @description 200 while the process is alive.
         */
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
        /**
         * Readiness
         * @description 200 while every chain can be queried and advances, otherwise 503 with the reason.
         */
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
        /**
         * Metrics
         * @description Prometheus metrics of the service and its indexer.
         */
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
        /**
         * OpenAPI document
         * @description This description of the service, as an OpenAPI 3.1 document.
         */
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
            /** @description error message: what is wrong and what is allowed */
            error: string;
        };
        RpcProblem: {
            /** @description id of the call; 1 if it has none, null if it cannot be determined */
            id: string | number | null;
            /** @constant */
            jsonrpc: "2.0";
            error: {
                /** @description HTTP status of the error */
                code: number;
                /** @description error message: what is wrong and what is allowed */
                message: string;
            };
        };
        UdfProblem: {
            /** @constant */
            s: "error";
            /** @description what is wrong */
            errmsg: string;
        };
        SqlMistake: {
            /** @description from 1 */
            line: number;
            /** @description from 1, in UTF-16 units */
            column: number;
            /** @description position in the query, from 0, in UTF-16 units */
            offset: number;
            /** @description length of the wrong part, in UTF-16 units; 0: the whole query, or its end */
            length: number;
            /** @description what was expected there; null if not applicable */
            expected: string | null;
            /** @description what was found there; null if not applicable */
            found: string | null;
            /** @description replacement; null if there is no similar name */
            suggestion: string | null;
        };
        QueryBody: {
            /** @description a SELECT, SHOW TABLES or DESCRIBE */
            query: string;
            /**
             * @description format of the response; by default the one that the Accept header selects, or json if the header allows any type
             * @enum {string}
             */
            format?: "json" | "ndjson" | "csv" | "parquet" | "arrow";
            /** @description maximum number of rows in the response, even if LIMIT is higher; X-Truncated reports whether there are more; by default only LIMIT applies */
            max_rows?: number;
            /** @description for pages: number of rows before the first row of the response; 0 for the first page. Rows that ORDER BY does not put in order then have a fixed order, so that pages at one commit neither repeat nor leave out rows */
            skip_rows?: number;
            /**
             * @description true: in csv, strings that start with = + - @, tab or carriage return are prefixed with an apostrophe, so that spreadsheets do not run them as formulas
             * @default false
             */
            csv_safe?: boolean;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
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
                    /** @description type of the values in a JSON response */
                    type: string;
                    nullable: boolean;
                    unit: string | null;
                    doc: string;
                }[];
                /** @description example query over the table */
                example: string;
            }[];
            functions: {
                name: string;
                /** @description synonyms */
                synonyms: string[];
                signature: string;
                doc: string;
                /** @description example expression */
                example: string;
                aggregate: boolean;
            }[];
            keywords: string[];
        };
        GetTopRecordsOfTransactionsBody: {
            /**
             * @description column to group by
             * @enum {string}
             */
            groupby: "timestamp" | "transaction_hash" | "transaction_index" | "block_number" | "block_hash" | "from_address" | "to_address" | "contract_address" | "value_base" | "value_eth" | "nonce" | "method_id" | "type" | "gas_limit" | "gas_used" | "gas_price" | "max_fee_per_gas" | "max_priority_fee_per_gas" | "transaction_fee_eth" | "transaction_fee_usd" | "status" | "record_index";
            /** @description values of the groupby column to look up; each is a key of the response, exactly as sent */
            eq: (string | number)[];
            /**
             * @description column to sort by; nulls come last
             * @default timestamp
             * @enum {string}
             */
            sortby?: "timestamp" | "transaction_hash" | "transaction_index" | "block_number" | "block_hash" | "from_address" | "to_address" | "contract_address" | "value_base" | "value_eth" | "nonce" | "method_id" | "type" | "gas_limit" | "gas_used" | "gas_price" | "max_fee_per_gas" | "max_priority_fee_per_gas" | "transaction_fee_eth" | "transaction_fee_usd" | "status" | "record_index";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description maximum number of records per group; at most 100000 across all groups
             * @default 1
             */
            size?: number;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetTopRecordsOfTransactionsAnswer: {
            [key: string]: {
                /** @description block time, unix seconds */
                timestamp: number;
                /** @description transaction hash */
                transaction_hash: string;
                /** @description position of the transaction in its block, from 0 */
                transaction_index: number;
                /** @description block number */
                block_number: number;
                /** @description block hash */
                block_hash: string;
                /** @description sender */
                from_address: string;
                /** @description recipient; null if the transaction creates a contract */
                to_address: string | null;
                /** @description contract created by the transaction */
                contract_address: string | null;
                /** @description native coin sent, wei */
                value_base: string;
                /** @description native coin sent, native coin */
                value_eth: number;
                /** @description number of earlier transactions of the sender */
                nonce: number;
                /** @description call data */
                input?: string;
                /** @description first four bytes of the call data; null if there are fewer */
                method_id: string | null;
                /** @description transaction type (EIP-2718); 0 for legacy */
                type: number;
                /** @description gas limit of the transaction, gas */
                gas_limit: number | string;
                /** @description gas used, gas */
                gas_used: number;
                /** @description effective gas price, wei per gas */
                gas_price: number | string;
                /** @description fee cap (EIP-1559), wei per gas */
                max_fee_per_gas: (number | string) | null;
                /** @description tip cap (EIP-1559), wei per gas */
                max_priority_fee_per_gas: (number | string) | null;
                /** @description total fee paid by the sender: gas, blob gas and, on rollups, the L1 data and operator fees, native coin */
                transaction_fee_eth: number;
                /** @description total fee at the reference price before the transaction; null if there is no such price, USD */
                transaction_fee_usd: number | null;
                /** @description 1 success, 0 failed; null before Byzantium */
                status: number | null;
                /** @description position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later */
                record_index: number;
            }[];
        };
        GetTopRecordsOfBlocksBody: {
            /**
             * @description column to group by
             * @enum {string}
             */
            groupby: "timestamp" | "block_number" | "block_hash" | "parent_hash" | "miner" | "gas_limit" | "gas_used" | "base_fee_per_gas" | "transaction_count" | "size" | "record_index";
            /** @description values of the groupby column to look up; each is a key of the response, exactly as sent */
            eq: (string | number)[];
            /**
             * @description column to sort by; nulls come last
             * @default timestamp
             * @enum {string}
             */
            sortby?: "timestamp" | "block_number" | "block_hash" | "parent_hash" | "miner" | "gas_limit" | "gas_used" | "base_fee_per_gas" | "transaction_count" | "size" | "record_index";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description maximum number of records per group; at most 100000 across all groups
             * @default 1
             */
            size?: number;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetTopRecordsOfBlocksAnswer: {
            [key: string]: {
                /** @description block time, unix seconds */
                timestamp: number;
                /** @description block number */
                block_number: number;
                /** @description block hash */
                block_hash: string;
                /** @description hash of the previous block */
                parent_hash: string;
                /** @description recipient of the block's fees (coinbase) */
                miner: string;
                /** @description gas limit of the block, gas */
                gas_limit: number | string;
                /** @description gas used by all transactions, gas */
                gas_used: number;
                /** @description base fee; null before London, wei per gas */
                base_fee_per_gas: (number | string) | null;
                /** @description transactions in the block */
                transaction_count: number;
                /** @description size of the encoded block; 0 if the node does not report it, bytes */
                size: number;
                /** @description arbitrary bytes set by the block's producer */
                extra_data: string;
                /** @description position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later */
                record_index: number;
            }[];
        };
        GetTopRecordsOfLogsBody: {
            /**
             * @description column to group by
             * @enum {string}
             */
            groupby: "timestamp" | "address" | "block_hash" | "block_number" | "log_index" | "record_index" | "topic_0" | "topic_1" | "topic_2" | "topic_3" | "transaction_hash" | "transaction_index";
            /** @description values of the groupby column to look up; each is a key of the response, exactly as sent */
            eq: (string | number)[];
            /**
             * @description column to sort by; nulls come last
             * @default timestamp
             * @enum {string}
             */
            sortby?: "timestamp" | "address" | "block_hash" | "block_number" | "log_index" | "record_index" | "topic_0" | "topic_1" | "topic_2" | "topic_3" | "transaction_hash" | "transaction_index";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description maximum number of records per group; at most 100000 across all groups
             * @default 1
             */
            size?: number;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetTopRecordsOfLogsAnswer: {
            [key: string]: {
                /** @description block time, unix seconds */
                timestamp: number;
                /** @description contract that emitted the log */
                address: string;
                /** @description block hash */
                block_hash: string;
                /** @description block number */
                block_number: number;
                /** @description non-indexed event data */
                data: string;
                /** @description position of the log in its block, from 0 */
                log_index: number;
                /** @description position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later */
                record_index: number;
                /** @description hash of the event's signature; null for anonymous events */
                topic_0: string | null;
                /** @description first indexed argument */
                topic_1: string | null;
                /** @description second indexed argument */
                topic_2: string | null;
                /** @description third indexed argument */
                topic_3: string | null;
                /** @description transaction hash */
                transaction_hash: string;
                /** @description position of the transaction in its block, from 0 */
                transaction_index: number;
            }[];
        };
        GetTopRecordsOfErc20Body: {
            /**
             * @description column to group by
             * @enum {string}
             */
            groupby: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "value_base" | "value_token" | "value_usd";
            /** @description values of the groupby column to look up; each is a key of the response, exactly as sent */
            eq: (string | number)[];
            /**
             * @description column to sort by; nulls come last
             * @default timestamp
             * @enum {string}
             */
            sortby?: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "value_base" | "value_token" | "value_usd";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description maximum number of records per group; at most 100000 across all groups
             * @default 1
             */
            size?: number;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetTopRecordsOfErc20Answer: {
            [key: string]: {
                /** @description position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later */
                record_index: number;
                /** @description transaction hash */
                transaction_hash: string;
                /** @description position of the transaction in its block, from 0 */
                transaction_index: number;
                /** @description block number */
                block_number: number;
                /** @description block time, unix seconds */
                timestamp: number;
                /** @description sender; the zero address if tokens are minted */
                from_address: string;
                /** @description recipient; the zero address if tokens are burned */
                to_address: string;
                /** @description token contract */
                token_address: string;
                /** @description token symbol, as reported by the contract or a token list */
                token_symbol: string | null;
                /** @description token name, as reported by the contract or a token list */
                token_name: string | null;
                /** @description position of the log in its block, from 0 */
                log_index: number;
                /** @description amount, base units */
                value_base: string;
                /** @description amount; null if the token has no decimals(), tokens */
                value_token: number | null;
                /** @description amount at the token's robust price in force; null if there is none yet, USD */
                value_usd: number | null;
            }[];
        };
        GetTopRecordsOfErc721Body: {
            /**
             * @description column to group by
             * @enum {string}
             */
            groupby: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "token_id";
            /** @description values of the groupby column to look up; each is a key of the response, exactly as sent */
            eq: (string | number)[];
            /**
             * @description column to sort by; nulls come last
             * @default timestamp
             * @enum {string}
             */
            sortby?: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "token_id";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description maximum number of records per group; at most 100000 across all groups
             * @default 1
             */
            size?: number;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetTopRecordsOfErc721Answer: {
            [key: string]: {
                /** @description position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later */
                record_index: number;
                /** @description transaction hash */
                transaction_hash: string;
                /** @description position of the transaction in its block, from 0 */
                transaction_index: number;
                /** @description block number */
                block_number: number;
                /** @description block time, unix seconds */
                timestamp: number;
                /** @description sender; the zero address if tokens are minted */
                from_address: string;
                /** @description recipient; the zero address if tokens are burned */
                to_address: string;
                /** @description token contract */
                token_address: string;
                /** @description token symbol, as reported by the contract or a token list */
                token_symbol: string | null;
                /** @description token name, as reported by the contract or a token list */
                token_name: string | null;
                /** @description position of the log in its block, from 0 */
                log_index: number;
                /** @description id of the transferred token */
                token_id: string;
            }[];
        };
        GetTopRecordsOfDexTradesBody: {
            /**
             * @description column to group by
             * @enum {string}
             */
            groupby: "timestamp" | "amount_eth" | "amount_token" | "amount_usd" | "amount_quote" | "amounts_unknown_reason" | "block_hash" | "block_number" | "interacted_with_address" | "log_index" | "num_trades_1h" | "num_trades_24h" | "pool_address" | "price_token_eth" | "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h" | "protocol_name" | "quote_address" | "record_index" | "side" | "token_address" | "token_name" | "token_symbol" | "trader_address" | "transaction_hash" | "transaction_index" | "volume_1h_usd" | "volume_24h_usd";
            /** @description values of the groupby column to look up; each is a key of the response, exactly as sent */
            eq: (string | number)[];
            /**
             * @description column to sort by; nulls come last
             * @default timestamp
             * @enum {string}
             */
            sortby?: "timestamp" | "amount_eth" | "amount_token" | "amount_usd" | "amount_quote" | "amounts_unknown_reason" | "block_hash" | "block_number" | "interacted_with_address" | "log_index" | "num_trades_1h" | "num_trades_24h" | "pool_address" | "price_token_eth" | "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h" | "protocol_name" | "quote_address" | "record_index" | "side" | "token_address" | "token_name" | "token_symbol" | "trader_address" | "transaction_hash" | "transaction_index" | "volume_1h_usd" | "volume_24h_usd";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description maximum number of records per group; at most 100000 across all groups
             * @default 1
             */
            size?: number;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description true: leaves wash trades (docs/verdicts.md) out of the records
             * @default false
             */
            exclude_wash?: boolean;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetTopRecordsOfDexTradesAnswer: {
            [key: string]: {
                /** @description block time, unix seconds */
                timestamp: number;
                /** @description value of the trade, native coin */
                amount_eth: number | null;
                /** @description tokens traded; null if the token has no decimals(), or the amounts are unknown, tokens */
                amount_token: number | null;
                /** @description value of the trade; null if no leg has a price, USD */
                amount_usd: number | null;
                /** @description amount of the swap's other token, quote tokens */
                amount_quote: number | null;
                /** @description why the amounts are unknown: hook_may_change_amounts or event_is_inexact; null if they are known */
                amounts_unknown_reason: string | null;
                /** @description block hash */
                block_hash: string;
                /** @description block number */
                block_number: number;
                /** @description `to` of the transaction */
                interacted_with_address: string | null;
                /** @description position of the log in its block, from 0 */
                log_index: number;
                /** @description trades of the token in the last hour, including this one */
                num_trades_1h: number;
                /** @description trades of the token in the last 24 hours, including this one */
                num_trades_24h: number;
                /** @description pool address; for Uniswap V4 the 32-byte pool id */
                pool_address: string;
                /** @description price of this swap, native coin per token */
                price_token_eth: number | null;
                /** @description price of this swap: amount_usd / amount_token, USD per token */
                price_token_usd_tick_1: number | null;
                /** @description volume-weighted price of the token's last 100 trades, USD per token */
                price_token_usd_tick_100: number | null;
                /** @description volume-weighted price of the last hour, USD per token */
                price_token_usd_wavg_1h: number | null;
                /** @description volume-weighted price of the last 24 hours, USD per token */
                price_token_usd_wavg_24h: number | null;
                /** @description price of this swap; null if it is a significant outlier or worth less than 1 USD, USD per token */
                price_token_usd_robust_tick_1: number | null;
                /** @description volume-weighted price of accepted trades in the last hour, USD per token */
                price_token_usd_robust_total_1h: number | null;
                /** @description volume-weighted price of accepted trades in the last 24 hours, USD per token */
                price_token_usd_robust_total_24h: number | null;
                /** @description volume-weighted price of accepted buys in the last hour, USD per token */
                price_token_usd_robust_buy_1h: number | null;
                /** @description volume-weighted price of accepted buys in the last 24 hours, USD per token */
                price_token_usd_robust_buy_24h: number | null;
                /** @description volume-weighted price of accepted sells in the last hour, USD per token */
                price_token_usd_robust_sell_1h: number | null;
                /** @description volume-weighted price of accepted sells in the last 24 hours, USD per token */
                price_token_usd_robust_sell_24h: number | null;
                /** @description mean of robust_buy_1h and robust_sell_1h, USD per token */
                price_token_usd_robust_mid_1h: number | null;
                /** @description mean of robust_buy_24h and robust_sell_24h, USD per token */
                price_token_usd_robust_mid_24h: number | null;
                /** @description protocol of the pool */
                protocol_name: string;
                /** @description the swap's other token */
                quote_address: string;
                /** @description position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later */
                record_index: number;
                /** @description buy when the token left the pool, sell when it entered it */
                side: string;
                /** @description token traded */
                token_address: string;
                /** @description token name, as reported by the contract or a token list */
                token_name: string | null;
                /** @description token symbol, as reported by the contract or a token list */
                token_symbol: string | null;
                /** @description sender of the transaction */
                trader_address: string;
                /** @description transaction hash */
                transaction_hash: string;
                /** @description position of the transaction in its block, from 0 */
                transaction_index: number;
                /** @description value of the token's trades in the last hour, including this one; unknown values count as zero, USD */
                volume_1h_usd: number;
                /** @description value of the token's trades in the last 24 hours, including this one; unknown values count as zero, USD */
                volume_24h_usd: number;
            }[];
        };
        GetTopRecordsOfTokenBalancesBody: {
            /**
             * @description column to group by
             * @enum {string}
             */
            groupby: "wallet_address" | "token_address" | "token_symbol" | "balance_base" | "balance_token" | "block_number" | "timestamp" | "record_index";
            /** @description values of the groupby column to look up; each is a key of the response, exactly as sent */
            eq: (string | number)[];
            /**
             * @description column to sort by; nulls come last
             * @default timestamp
             * @enum {string}
             */
            sortby?: "wallet_address" | "token_address" | "token_symbol" | "balance_base" | "balance_token" | "block_number" | "timestamp" | "record_index";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description maximum number of records per group; at most 100000 across all groups
             * @default 1
             */
            size?: number;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetTopRecordsOfTokenBalancesAnswer: {
            [key: string]: {
                /** @description holder */
                wallet_address: string;
                /** @description token contract */
                token_address: string;
                /** @description token symbol, as reported by the contract or a token list */
                token_symbol: string | null;
                /** @description balance; null if transfers do not determine it: see docs/balances.md, base units */
                balance_base: string | null;
                /** @description balance; null if balance_base is null or the token has no decimals(), tokens */
                balance_token: number | null;
                /** @description block number */
                block_number: number;
                /** @description block time, unix seconds */
                timestamp: number;
                /** @description position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later */
                record_index: number;
            }[];
        };
        GetPriceHistoricalOHLCBody: {
            /** @description token */
            token_address: string;
            /**
             * @description pool whose trades are used; all: every pool
             * @default all
             */
            pool_address?: string;
            /**
             * @description chain to query; GET /v1/status lists the available chains
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
             * @description length of a candle; candles are aligned to the unix epoch
             * @default 1d
             */
            interval?: string;
            /**
             * @description earliest timestamp_open
             * @default 0
             */
            from_timestamp?: number;
            /** @description latest timestamp_open; the newest candle contains this time, or the current time if that is earlier; by default the time of the request */
            until_timestamp?: number;
            /**
             * @description maximum number of candles in the response, after ordering
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
             * @description true: after the first trade with a price, an interval without trades repeats the previous close; false: its prices are null
             * @default true
             */
            fill?: boolean;
            /**
             * @description adds volume and num_trades
             * @default false
             */
            with_volume?: boolean;
            /**
             * @description true: leaves wash trades (docs/verdicts.md) out of volume and num_trades; prices are not affected
             * @default false
             */
            exclude_wash?: boolean;
            /**
             * @description prev_close: open is the previous close; first_trade: open is the price of the first trade in the interval
             * @default prev_close
             * @enum {string}
             */
            open_method?: "prev_close" | "first_trade";
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
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
                /** @description price of the last trade in the interval, USD per token */
                price_close: number | null;
                /** @description volume of all trades, USD; with with_volume=true */
                volume?: number;
                /** @description number of all trades; with with_volume=true */
                num_trades?: number;
            }[];
        };
        GetPriceHistoricalTickBody: {
            /** @description one or more tokens; duplicates count once */
            token_address: string[];
            /**
             * @description one or more pools whose trades are used; all: every pool
             * @default all
             */
            pool_address?: string | string[];
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_robust_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            /** @description earliest trade time, unix seconds; by default ten days before until_timestamp */
            from_timestamp?: number;
            /** @description latest trade time, unix seconds; by default the time of the request */
            until_timestamp?: number;
            /**
             * @description true: leaves wash trades (docs/verdicts.md) out of the ticks
             * @default false
             */
            exclude_wash?: boolean;
            /**
             * @description number of newest ticks per token; at most 1,000,000 across all tokens
             * @default 100
             */
            size?: number;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
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
            /** @description tokens; duplicates count once */
            token_address: string[];
            /**
             * @description pool whose trades are used; all: every pool
             * @default all
             */
            pool_address?: string;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_robust_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetBatchAllTimeOHLCAnswer: {
            token_address: string;
            /** @description price of the first trade with a price, USD per token */
            price_open: number | null;
            /** @description USD per token */
            price_high: number | null;
            /** @description USD per token */
            price_low: number | null;
            /** @description price of the newest trade with a price, USD per token */
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
            /** @description first trade at that price */
            transaction_hash_high: string | null;
            /** @description first trade at that price */
            transaction_hash_low: string | null;
            transaction_hash_close: string | null;
        }[];
        GetBatchLatestTokenPricesBody: {
            /** @description tokens; duplicates count once */
            token_address: string[];
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @default price_token_usd_robust_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
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
            /** @description tokens; duplicates count once */
            token_address: string[];
            /**
             * @description chain to query; GET /v1/status lists the available chains
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
             * @description length of the period, a number and a unit (s, m, h or d), at most 30d
             * @default 24h
             */
            lookback?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetBatchLatestPriceChangeAnswer: {
            token_address: string;
            /** @description start of the period, unix seconds */
            timestamp_open: number | null;
            /** @description end of the period, unix seconds */
            timestamp_close: number | null;
            /** @description price of the last trade at or before the start, or of the first trade in the period if there is none, USD per token */
            price_open: number | null;
            /** @description price of the last trade at or before the end, USD per token */
            price_close: number | null;
            /** @description change_abs as a percentage of price_open */
            change_pct: number | null;
            /** @description price_close minus price_open, USD per token */
            change_abs: number | null;
        }[];
        GetBatchLatestPoolTvlBody: {
            /** @description pools; duplicates count once */
            pool_address: string[];
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description price used to value the tokens
             * @default price_token_usd_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h";
            /** @description time of the balances and prices; by default the time of the request */
            timestamp?: number;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
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
                /** @description balance of token 0, tokens */
                token_0_balance: number | null;
                /** @description balance of token 1, tokens */
                token_1_balance: number | null;
                /** @description price used to value token 0, USD */
                token_0_price_usd: number | null;
                /** @description price used to value token 1, USD */
                token_1_price_usd: number | null;
                /** @description USD value of the balance of token 0 */
                token_0_balance_usd: number | null;
                /** @description USD value of the balance of token 1 */
                token_1_balance_usd: number | null;
                /** @description USD value of all tokens; if there are two, token_0_balance_usd plus token_1_balance_usd */
                tvl_usd: number | null;
                /** @description USD value of the stablecoin balance or, if the pool has no stablecoin, of the wrapped native coin balance */
                liquidity_usd: number | null;
            }[];
        };
        GetPoolTvlHistoryBody: {
            /** @description pool */
            pool_address: string;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description price used to value the tokens
             * @default price_token_usd_tick_1
             * @enum {string}
             */
            price_type?: "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h";
            /**
             * @description time between two points; every point is at a multiple of it
             * @default 1d
             */
            interval?: string;
            /**
             * @description earliest as_of_timestamp
             * @default 0
             */
            from_timestamp?: number;
            /** @description latest as_of_timestamp; by default the time of the request */
            until_timestamp?: number;
            /**
             * @description maximum number of points in the response, after ordering
             * @default 100
             */
            max_size?: number;
            /**
             * @description desc: newest first; asc: oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetPoolTvlHistoryAnswer: {
            pool_address: string;
            token_0_address: string | null;
            token_1_address: string | null;
            data: {
                /** @description time of the balances and prices, unix seconds */
                as_of_timestamp: number;
                /** @description block of the most recent swap in the pool */
                block_number: number | null;
                /** @description time of the most recent swap, unix seconds */
                timestamp: number | null;
                /** @description balance of token 0, tokens */
                token_0_balance: number | null;
                /** @description balance of token 1, tokens */
                token_1_balance: number | null;
                /** @description price used to value token 0, USD */
                token_0_price_usd: number | null;
                /** @description price used to value token 1, USD */
                token_1_price_usd: number | null;
                /** @description USD value of the balance of token 0 */
                token_0_balance_usd: number | null;
                /** @description USD value of the balance of token 1 */
                token_1_balance_usd: number | null;
                /** @description USD value of all tokens; if there are two, token_0_balance_usd plus token_1_balance_usd */
                tvl_usd: number | null;
                /** @description USD value of the stablecoin balance or, if the pool has no stablecoin, of the wrapped native coin balance */
                liquidity_usd: number | null;
            }[];
        };
        GetBatchWalletLatestTotalPerformanceBody: {
            /** @description wallets, as senders of transactions; duplicates count once, and wallets in excess of 1000 wallets or 100000 trades are returned in remainder */
            wallet_address: string[];
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description true: exclude trades of the chain's stablecoins
             * @default false
             */
            total_exclude?: boolean;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetBatchWalletLatestTotalPerformanceAnswer: {
            /** @description by wallet address */
            data: {
                [key: string]: {
                    wallet_address: string;
                    /** @description number of tokens bought or sold */
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
                    /** @description cost of purchases, USD */
                    total_buy_volume: number | null;
                    /** @description proceeds of sales, without sales in excess of purchases, USD */
                    total_sell_volume: number | null;
                    /** @description with total_exclude: stablecoins that the wallet traded, excluded from all figures */
                    excluded?: {
                        total: string[];
                    };
                };
            };
            /** @description wallets that were not processed; send them in another request */
            remainder: string[];
        };
        GetWalletLatestTotalPerformanceBody: {
            /** @description wallet, as sender of transactions */
            wallet_address: string;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description true: exclude trades of the chain's stablecoins
             * @default false
             */
            total_exclude?: boolean;
            /**
             * @description for a wallet with more than 100000 trades: true uses the newest 100000, false rejects the request
             * @default false
             */
            max_size_ok?: boolean;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetWalletLatestTotalPerformanceAnswer: {
            wallet_address: string;
            /** @description number of tokens bought or sold */
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
            /** @description cost of purchases, USD */
            total_buy_volume: number | null;
            /** @description proceeds of sales, without sales in excess of purchases, USD */
            total_sell_volume: number | null;
            /** @description with total_exclude: stablecoins that the wallet traded, excluded from all figures */
            excluded?: {
                total: string[];
            };
        };
        GetWalletLatestPerformancePerTokenBody: {
            /** @description wallet, as sender of transactions */
            wallet_address: string;
            /**
             * @description chain to query; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /**
             * @description true: exclude trades of the chain's stablecoins
             * @default false
             */
            total_exclude?: boolean;
            /**
             * @description for a wallet with more than 100000 trades: true uses the newest 100000, false rejects the request
             * @default false
             */
            max_size_ok?: boolean;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        GetWalletLatestPerformancePerTokenAnswer: {
            /** @description tokens with unknown profit come last */
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
                /** @description cost of purchases, USD */
                total_buy_volume: number | null;
                /** @description proceeds of sales, without sales in excess of purchases, USD */
                total_sell_volume: number | null;
                /** @description amount bought, tokens */
                total_buy_amount: number | null;
                /** @description amount sold, without sales in excess of purchases, tokens */
                total_sell_amount: number | null;
                /** @description total_buy_volume divided by total_buy_amount; null without a purchase, USD per token */
                avg_buy_price: number | null;
                /** @description total_sell_volume divided by total_sell_amount; null without a sale, USD per token */
                avg_sell_price: number | null;
                /** @description amount bought and not sold, tokens */
                trading_balance: number | null;
                /** @description latest robust price; null if unknown, USD per token */
                current_price: number | null;
            }[];
        };
        StreamBody: {
            /**
             * @description chain to stream; GET /v1/status lists the available chains
             * @default eth
             */
            chain?: string;
            /** @description one or more subscriptions: see docs/streams.md; with GET, as JSON text */
            subscriptions?: {
                type: string;
            }[];
            /** @description id of the last frame that the client has: the stream resumes after it and sends no snapshot. The header Last-Event-ID takes precedence */
            after?: string;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
            /**
             * @description instead of subscriptions: the type of a single subscription, whose filters are then separate parameters
             * @enum {string}
             */
            type?: "trades" | "transfers" | "pools" | "tokens" | "blocks" | "prices" | "candles" | "pool_state";
            /** @description instead of subscriptions: the id of the single subscription; default: its type */
            id?: string;
            /** @description trades: only trades of these tokens; transfers: only transfers of these tokens; pools: only pools whose first or second token is one of these; prices: tokens; duplicates count once; candles: token */
            token_address?: string[];
            /** @description trades: only trades in these pools; candles: pool whose trades are used; all: every pool; pool_state: pools; duplicates count once */
            pool_address?: string[];
            /** @description trades: only trades of these wallets (senders of the transactions) */
            trader_address?: string[];
            /** @description trades: only trades worth at least this, USD; trades without a known value are left out; transfers: only erc20 transfers worth at least this, USD; those without a known value are left out */
            min_usd?: number;
            /** @description trades: true: only trades that the robust price accepts (no outliers, and worth 1 USD or more) */
            accepted?: boolean;
            /**
             * @description transfers: token standard of the transfers
             * @enum {string}
             */
            standard?: "erc20" | "erc721";
            /** @description transfers: only transfers from or to these addresses */
            wallet_address?: string[];
            /** @description transfers: only transfers from these addresses */
            from_address?: string[];
            /** @description transfers: only transfers to these addresses */
            to_address?: string[];
            /**
             * @description candles: price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers
             * @enum {string}
             */
            price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
            /** @description candles: length of a candle; candles are aligned to the unix epoch */
            interval?: string;
            /** @description candles: number of candles in the first snapshot, including the newest */
            history?: number;
        };
        /** @description server-sent events; each has an id, the name of its event, and JSON data */
        StreamAnswer: string;
        SearchBody: {
            /** @description a symbol or name, or part of one; a pair such as weth/usdc; or the start of an address or pool id, 0x and at least two digits */
            query: string;
            /** @description chain to search; by default all chains that are served */
            chain?: string;
            /**
             * @description all: tokens and pools
             * @default all
             * @enum {string}
             */
            kind?: "all" | "token" | "pool";
            /**
             * @description maximum number of tokens, and of pools
             * @default 10
             */
            size?: number;
            /**
             * @description true: include spam tokens and their pools, after the others
             * @default false
             */
            show_spam?: boolean;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        SearchAnswer: {
            tokens: {
                chain: string;
                token_address: string;
                token_symbol: string | null;
                token_name: string | null;
                /** @description volume in the 24 hours before the newest block, USD; null if the value of every trade is unknown */
                volume_24h_usd: number | null;
                /** @description trades in that time */
                trades_24h: number;
                /** @description trades whose price was accepted: see docs/prices.md */
                accepted_trades_24h: number;
                /** @description why it is spam (docs/verdicts.md); null if it is not */
                spam_reasons: string | null;
            }[];
            pools: {
                chain: string;
                pool_address: string;
                protocol: string;
                /** @description swap fee, millionths; null if the pool has no fixed fee */
                fee: number | null;
                /** @description in the pool's order */
                token_addresses: string[];
                /** @description of these tokens */
                token_symbols: (string | null)[];
                /** @description volume in the 24 hours before the newest block, USD; null if the value of every trade is unknown */
                volume_24h_usd: number | null;
                /** @description trades in that time */
                trades_24h: number;
                /** @description trades whose price was accepted: see docs/prices.md */
                accepted_trades_24h: number;
                /** @description why it is spam (docs/verdicts.md); null if it is not */
                spam_reasons: string | null;
            }[];
            /** @description results that were left out because they are spam */
            hidden_spam: number;
        };
        ScreenerBody: {
            /**
             * @description what to list
             * @default token
             * @enum {string}
             */
            kind?: "token" | "pool";
            /** @description chain to list; by default all chains that are served */
            chain?: string;
            /**
             * @description period whose trades are included, up to the newest block
             * @default 24h
             * @enum {string}
             */
            window?: "5m" | "1h" | "6h" | "24h" | "7d";
            /**
             * @description field to sort by; nulls come last
             * @default volume_usd
             * @enum {string}
             */
            sortby?: "volume_usd" | "trades" | "traders" | "price_change_pct" | "liquidity_usd" | "created_timestamp";
            /**
             * @description desc: largest or newest first; asc: smallest or oldest first
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /**
             * @description rows per page
             * @default 50
             */
            size?: number;
            /**
             * @description page of the list
             * @default 1
             */
            page?: number;
            /** @description minimum volume in the window */
            min_volume_usd?: number;
            /** @description maximum volume in the window */
            max_volume_usd?: number;
            /** @description minimum number of trades in the window */
            min_trades?: number;
            /** @description maximum number of trades in the window */
            max_trades?: number;
            /** @description minimum number of distinct traders in the window */
            min_traders?: number;
            /** @description maximum number of distinct traders in the window */
            max_traders?: number;
            /** @description minimum price change over the window, in percent */
            min_price_change_pct?: number;
            /** @description maximum price change over the window, in percent */
            max_price_change_pct?: number;
            /** @description minimum liquidity; leaves out rows whose liquidity is unknown */
            min_liquidity_usd?: number;
            /** @description maximum liquidity; leaves out rows whose liquidity is unknown */
            max_liquidity_usd?: number;
            /** @description created at least this long before the newest block */
            min_age?: string;
            /** @description created at most this long before the newest block; includes tokens or pools that have not been traded yet */
            max_age?: string;
            /** @description pools of this protocol, such as uniswap_v3; for tokens, only trades in these pools are included */
            protocol?: string;
            /** @description only these tokens, or only pools with at least one of them */
            token_address?: string[];
            /**
             * @description true: include spam tokens and their pools
             * @default false
             */
            show_spam?: boolean;
            /**
             * @description true: leave out the trades of pools on days with wash trades
             * @default false
             */
            exclude_wash?: boolean;
            /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
            max_lag?: number;
        };
        ScreenerAnswer: {
            /** @description empty for kind=pool */
            tokens: {
                chain: string;
                token_address: string;
                token_symbol: string | null;
                token_name: string | null;
                /** @description volume in the window, USD; null if the value of every trade is unknown */
                volume_usd: number | null;
                /** @description trades in the window; a swap in a pool counts once */
                trades: number;
                /** @description distinct senders of the transactions with these trades */
                traders: number;
                /** @description latest robust price, USD per token */
                price_usd: number | null;
                /** @description change of the robust price over the window, as in batch-latest-price-change */
                price_change_pct: number | null;
                /** @description pools in which it was traded in the window */
                pools: number;
                /** @description pool in which it had the highest volume in the window; null without trades */
                main_pool_address: string | null;
                /** @description value of all tokens in that pool, USD; null if unknown */
                liquidity_usd: number | null;
                /** @description time of the first indexed block with a transfer or a pool of the token, unix seconds */
                created_timestamp: number | null;
                /** @description why it is spam (docs/verdicts.md); null if it is not */
                spam_reasons: string | null;
            }[];
            /** @description empty for kind=token */
            pools: {
                chain: string;
                pool_address: string;
                protocol: string;
                /** @description swap fee, millionths; null if the pool has no fixed fee */
                fee: number | null;
                /** @description in the pool's order */
                token_addresses: string[];
                /** @description of these tokens */
                token_symbols: (string | null)[];
                /** @description token whose price is shown: the first that is not cash, or else the wrapped native coin */
                priced_token_address: string | null;
                /** @description volume in the window, USD; null if the value of every trade is unknown */
                volume_usd: number | null;
                /** @description trades in the window; a swap in a pool counts once */
                trades: number;
                /** @description distinct senders of the transactions with these trades */
                traders: number;
                /** @description latest robust price, USD per token */
                price_usd: number | null;
                /** @description change of the robust price over the window, as in batch-latest-price-change */
                price_change_pct: number | null;
                /** @description value of all its tokens, USD; null if unknown */
                liquidity_usd: number | null;
                /** @description unix seconds; null for a pool older than the first indexed block */
                created_timestamp: number | null;
                /** @description why it is spam (docs/verdicts.md); null if it is not */
                spam_reasons: string | null;
            }[];
            /** @description number of rows in the whole list, at most 500 per chain */
            total: number;
            /** @description rows that were left out because they are spam */
            hidden_spam: number;
            /** @description rows that were left out because all their trades are wash trades */
            hidden_wash: number;
            /** @description true: more than 500 tokens or pools of a chain meet the filters on volume, trades, traders, age, protocol and tokens; the list was made from the first 500 of them */
            limited: boolean;
        };
        UdfConfigAnswer: {
            /** @description offered to users; others are served as well */
            supported_resolutions: string[];
            /** @constant */
            supports_search: true;
            /** @constant */
            supports_group_request: false;
            /** @constant */
            supports_marks: true;
            /** @constant */
            supports_timescale_marks: false;
            /** @constant */
            supports_time: true;
            /** @description chains; an empty value means all chains */
            exchanges: {
                value: string;
                name: string;
                desc: string;
            }[];
            symbols_types: {
                value: string;
                name: string;
            }[];
        };
        UdfSymbolsAnswer: {
            name: string;
            /** @description the symbol for /udf/history and /udf/marks */
            ticker: string;
            full_name: string;
            description: string;
            /** @constant */
            type: "crypto";
            /** @constant */
            session: "24x7";
            /** @constant */
            timezone: "Etc/UTC";
            /** @description the chain */
            exchange: string;
            listed_exchange: string;
            /** @constant */
            currency_code: "USD";
            /** @constant */
            format: "price";
            /** @constant */
            minmov: 1;
            /** @description 10 to the power of the number of decimals in prices, chosen so that the current price has five significant digits */
            pricescale: number;
            /**
             * @description bars have a volume, in USD
             * @constant
             */
            visible_plots_set: "ohlcv";
            /** @constant */
            volume_precision: 2;
            /** @constant */
            has_intraday: true;
            /** @constant */
            has_seconds: true;
            /** @constant */
            has_daily: true;
            /** @constant */
            has_weekly_and_monthly: true;
            seconds_multipliers: string[];
            intraday_multipliers: string[];
            daily_multipliers: string[];
            weekly_multipliers: string[];
            monthly_multipliers: string[];
            supported_resolutions: string[];
            /** @constant */
            data_status: "streaming";
        };
        UdfSearchAnswer: {
            /** @description symbol of the token, or of the pool's tokens */
            symbol: string;
            full_name: string;
            /** @description the symbol for the other requests */
            ticker: string;
            description: string;
            /** @description the chain */
            exchange: string;
            /** @enum {string} */
            type: "token" | "pool";
        }[];
        UdfHistoryAnswer: {
            /** @constant */
            s: "ok";
            /** @description starts of the bars, unix seconds, oldest first */
            t: number[];
            /** @description open, USD per token */
            o: number[];
            /** @description high */
            h: number[];
            /** @description low */
            l: number[];
            /** @description close */
            c: number[];
            /** @description volume of all trades, USD */
            v: number[];
        } | {
            /** @constant */
            s: "no_data";
            /** @description start of the newest older bar; absent if there is none */
            nextTime?: number;
        };
        UdfTimeAnswer: string;
        UdfMarksAnswer: {
            id: string[];
            /** @description start of the bar with the trade, unix seconds */
            time: number[];
            color: string[];
            /** @description price, value and transaction */
            text: string[];
            /** @description !: outlier; B: buy; S: sell */
            label: string[];
            labelFontColor: string[];
            minSize: number[];
        };
        CallMethodBody: {
            /** @description method to call; each one is an endpoint */
            method: string;
            /** @description parameters of the endpoint */
            params?: Record<string, never>;
        } | {
            /** @description method to call; each one is an endpoint */
            method: string;
            /** @description parameters of the endpoint */
            params?: Record<string, never>;
        }[];
        CallMethodAnswer: {
            /** @description id of the call; 1 if it has none, null if it cannot be determined */
            id: string | number | null;
            /** @constant */
            jsonrpc: "2.0";
            /** @description response of the endpoint */
            result: {
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
                    /** @description price of the last trade in the interval, USD per token */
                    price_close: number | null;
                    /** @description volume of all trades, USD; with with_volume=true */
                    volume?: number;
                    /** @description number of all trades; with with_volume=true */
                    num_trades?: number;
                }[];
            } | {
                wallet_address: string;
                /** @description number of tokens bought or sold */
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
                /** @description cost of purchases, USD */
                total_buy_volume: number | null;
                /** @description proceeds of sales, without sales in excess of purchases, USD */
                total_sell_volume: number | null;
                /** @description with total_exclude: stablecoins that the wallet traded, excluded from all figures */
                excluded?: {
                    total: string[];
                };
            } | {
                /** @description tokens with unknown profit come last */
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
                    /** @description cost of purchases, USD */
                    total_buy_volume: number | null;
                    /** @description proceeds of sales, without sales in excess of purchases, USD */
                    total_sell_volume: number | null;
                    /** @description amount bought, tokens */
                    total_buy_amount: number | null;
                    /** @description amount sold, without sales in excess of purchases, tokens */
                    total_sell_amount: number | null;
                    /** @description total_buy_volume divided by total_buy_amount; null without a purchase, USD per token */
                    avg_buy_price: number | null;
                    /** @description total_sell_volume divided by total_sell_amount; null without a sale, USD per token */
                    avg_sell_price: number | null;
                    /** @description amount bought and not sold, tokens */
                    trading_balance: number | null;
                    /** @description latest robust price; null if unknown, USD per token */
                    current_price: number | null;
                }[];
            };
        } | ({
            /** @description id of the call; 1 if it has none, null if it cannot be determined */
            id: string | number | null;
            /** @constant */
            jsonrpc: "2.0";
            /** @description response of the endpoint */
            result: {
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
                    /** @description price of the last trade in the interval, USD per token */
                    price_close: number | null;
                    /** @description volume of all trades, USD; with with_volume=true */
                    volume?: number;
                    /** @description number of all trades; with with_volume=true */
                    num_trades?: number;
                }[];
            } | {
                wallet_address: string;
                /** @description number of tokens bought or sold */
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
                /** @description cost of purchases, USD */
                total_buy_volume: number | null;
                /** @description proceeds of sales, without sales in excess of purchases, USD */
                total_sell_volume: number | null;
                /** @description with total_exclude: stablecoins that the wallet traded, excluded from all figures */
                excluded?: {
                    total: string[];
                };
            } | {
                /** @description tokens with unknown profit come last */
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
                    /** @description cost of purchases, USD */
                    total_buy_volume: number | null;
                    /** @description proceeds of sales, without sales in excess of purchases, USD */
                    total_sell_volume: number | null;
                    /** @description amount bought, tokens */
                    total_buy_amount: number | null;
                    /** @description amount sold, without sales in excess of purchases, tokens */
                    total_sell_amount: number | null;
                    /** @description total_buy_volume divided by total_buy_amount; null without a purchase, USD per token */
                    avg_buy_price: number | null;
                    /** @description total_sell_volume divided by total_sell_amount; null without a sale, USD per token */
                    avg_sell_price: number | null;
                    /** @description amount bought and not sold, tokens */
                    trading_balance: number | null;
                    /** @description latest robust price; null if unknown, USD per token */
                    current_price: number | null;
                }[];
            };
        } | {
            /** @description id of the call; 1 if it has none, null if it cannot be determined */
            id: string | number | null;
            /** @constant */
            jsonrpc: "2.0";
            error: {
                /** @description HTTP status of the error */
                code: number;
                /** @description error message: what is wrong and what is allowed */
                message: string;
            };
        })[];
        GetStatusAnswer: {
            chains: {
                chain: string;
                chain_id: number;
                /** @description coin in which fees are paid; its decimals apply to base units such as value_base of transactions */
                native_coin: {
                    symbol: string;
                    decimals: number;
                };
                ready: boolean;
                /** @description what the indexer is doing, or what is wrong */
                message: string | null;
                /** @description newest block of the chain; null if no indexer runs in this process */
                head_block: number | null;
                /** @description newest final block; null if unknown */
                finalized_block: number | null;
                finality: {
                    /** @constant */
                    kind: "tag";
                } | {
                    /** @constant */
                    kind: "depth";
                    blocks: number;
                };
                /** @description responses are complete from this block on and ignore earlier blocks */
                first_block: number | null;
                indexed_block: number | null;
                /** @description unix seconds */
                indexed_timestamp: number | null;
                indexed_block_hash: string | null;
                /** @description number of commits, rollbacks and repairs of the chain, as in X-Commit */
                commit: number | null;
                lag_blocks: number | null;
                /** @description age of the newest indexed block */
                lag_seconds: number | null;
                /** @description age of the newest blocks at the head, by their own timestamps; null if there have been none yet */
                block_age: {
                    /** @description when an RPC endpoint reported the block; null if no indexer runs in this process */
                    seen: {
                        /** @description seconds; half of the blocks were at most this old */
                        p50: number;
                        /** @description seconds; 95 % of the blocks were at most this old */
                        p95: number;
                        /** @description number of blocks, at most 256 */
                        blocks: number;
                        /** @description number of blocks by age in seconds, with the buckets of the metric quarry_block_age_seconds; empty buckets are left out */
                        histogram: {
                            /** @description lower bound, excluded; null for the youngest bucket */
                            above: number | null;
                            /** @description upper bound, included; null for the oldest bucket */
                            at_most: number | null;
                            blocks: number;
                        }[];
                    } | null;
                    /** @description when the block was committed; null if no indexer runs in this process */
                    committed: {
                        /** @description seconds; half of the blocks were at most this old */
                        p50: number;
                        /** @description seconds; 95 % of the blocks were at most this old */
                        p95: number;
                        /** @description number of blocks, at most 256 */
                        blocks: number;
                        /** @description number of blocks by age in seconds, with the buckets of the metric quarry_block_age_seconds; empty buckets are left out */
                        histogram: {
                            /** @description lower bound, excluded; null for the youngest bucket */
                            above: number | null;
                            /** @description upper bound, included; null for the oldest bucket */
                            at_most: number | null;
                            blocks: number;
                        }[];
                    } | null;
                    /** @description when its frames were sent to the streams of this process */
                    sent: {
                        /** @description seconds; half of the blocks were at most this old */
                        p50: number;
                        /** @description seconds; 95 % of the blocks were at most this old */
                        p95: number;
                        /** @description number of blocks, at most 256 */
                        blocks: number;
                        /** @description number of blocks by age in seconds, with the buckets of the metric quarry_block_age_seconds; empty buckets are left out */
                        histogram: {
                            /** @description lower bound, excluded; null for the youngest bucket */
                            above: number | null;
                            /** @description upper bound, included; null for the oldest bucket */
                            at_most: number | null;
                            blocks: number;
                        }[];
                    } | null;
                };
                /**
                 * @description what is stored: the value of --keep when the chain was first indexed
                 * @enum {string}
                 */
                keep: "all" | "no-input" | "no-logs" | "trades";
                /** @description first block whose transactions, logs and transfers are stored, as far as keep includes them; those of earlier blocks were pruned or never indexed. null if keep includes none of them, or if no block is indexed */
                raw_first_block: number | null;
                /** @description rows of each stored table up to indexed_block */
                rows: {
                    [key: string]: number;
                };
                /** @description how much of each block was proven when it was stored, by range of blocks: at most the newest 200 ranges */
                proofs: {
                    first_block: number;
                    last_block: number;
                    /**
                     * @description block: everything is proven by the block's hash; receipts: only header, receipts and logs are proven; file: receipts and logs match the receipts root in the file, which nothing else confirms; unrecorded: unknown, because an earlier version of Quarry stored the blocks; none: nothing is proven
                     * @enum {string}
                     */
                    proof: "block" | "receipts" | "file" | "unrecorded" | "none";
                    /**
                     * @description RPC endpoints, or the format of the files; unrecorded: unknown
                     * @enum {string}
                     */
                    origin: "rpc" | "era" | "cryo" | "ethereum-etl" | "aws" | "unrecorded";
                }[];
                /** @description RPC endpoints of the indexer; null if none runs in this process */
                endpoints: {
                    /** @description without credentials or keys */
                    url: string;
                    /** @description HTTP requests sent to it */
                    requests: number;
                    /** @description failed requests */
                    failures: number;
                    /** @description blocks that contradicted their own header, and announced heads that did not exist */
                    lies: number;
                    /** @description moving average of the response time; null before the first response */
                    latency_ms: number | null;
                    /** @description unix seconds; null while the endpoint is healthy */
                    avoided_until: number | null;
                }[] | null;
                /** @description the search for balances before first_block (--opening-balances); null if it is off or has nothing to find, or if no indexer runs in this process */
                opening_balances: {
                    /** @description pools or all */
                    mode: string;
                    /** @description balances that were read at a block that is not final yet */
                    reading: number;
                    /** @description balances that were read once and await further transfers */
                    waiting: number;
                    /** @description balances that a second reading confirmed */
                    confirmed: number;
                    /** @description balances that transfers do not explain */
                    rejected: number;
                    /** @description results that token_balances does not contain yet */
                    unapplied: number;
                    /** @description why no balance can be read; null if nothing is wrong */
                    message: string | null;
                } | null;
                /** @description since the indexer started; null if none runs in this process */
                rollbacks: {
                    count: number;
                    /** @description most blocks rolled back at once */
                    deepest: number;
                    /** @description unix seconds */
                    last_at: number | null;
                } | null;
                /** @description the extension to earlier blocks that this process is building; null if there is none */
                extension: {
                    /** @description first block that the chain will have after the extension */
                    from_block: number;
                    /** @description newest block of the hidden copy; null before the first */
                    block: number | null;
                    /** @description the copy replaces the chain once it has reached this block */
                    target_block: number;
                    blocks_per_second: number;
                    /** @description null while the rate is unknown */
                    eta_seconds: number | null;
                    /** @description why it is not advancing; null while it is */
                    message: string | null;
                } | null;
            }[];
        };
        GetOperationsAnswer: {
            queues: {
                /**
                 * @description query: clients' SQL; read: other requests that read the store
                 * @enum {string}
                 */
                kind: "query" | "read";
                /**
                 * @description quick: the first second of each request; long: the rest
                 * @enum {string}
                 */
                tier: "quick" | "long";
                running: number;
                running_limit: number;
                waiting: number;
                waiting_limit: number;
                /** @description clients with running or waiting requests */
                clients: number;
                /** @description requests that found the queue full or waited too long */
                refused: number;
            }[];
            /** @description resources that the requests of all clients use, and their limits */
            resources: {
                /** @enum {string} */
                resource: "connections" | "streams" | "requests_waiting_for_event_loop" | "delayed_rejections" | "request_body_bytes" | "answer_memory_bytes" | "answer_disk_bytes" | "unread_answer_bytes" | "unread_stream_bytes" | "cached_sql_bytes" | "serving_memory_bytes";
                used: number;
                /** @description sum of the limits of all processes; null if there is no limit on the total */
                limit: number | null;
            }[];
            /** @description since the processes started */
            responses: {
                total: number;
                status_429: number;
                /** @description excluding responses of /ready */
                status_503: number;
            };
            /** @description since the processes started */
            refusals: {
                /**
                 * @description limit that rejected requests or connections
                 * @enum {string}
                 */
                limit: "query-queue" | "read-queue" | "rate" | "monthly-quota" | "unread-answers" | "connections" | "address-connections";
                count: number;
            }[];
            engines: {
                /** @description chains whose tables it holds */
                chains: string[];
                memory_bytes: number | null;
                /** @description null if there is none, or it is unknown */
                memory_limit_bytes: number | null;
                /** @description of clients, of the service, and of other programs that use the same server */
                running_statements: number | null;
                running_merges: number | null;
                /** @description statements that are still running although their requests have timed out */
                abandoned_statements: number;
                /** @description why there are no figures; null if there are */
                message: string | null;
            }[];
            processes: {
                /** @description service if it is the only one, otherwise primary, worker 1, worker 2 etc. */
                process: string;
                /** @description false: the process did not report in time, so its other fields are null, and the sums exclude it */
                is_responding: boolean;
                pid: number | null;
                /** @description unix seconds */
                started_at: number | null;
                /** @description memory of the process, including an embedded engine */
                rss_bytes: number | null;
                /** @description memory of JavaScript objects */
                heap_bytes: number | null;
                heap_limit_bytes: number | null;
                /** @description memory of buffers, which the heap does not include */
                buffer_bytes: number | null;
                /** @description CPU time since the previous report, as a share of one core; may be above 1; null if that report is older than ten seconds */
                cpu_share: number | null;
                /** @description share of the same period in which the event loop was busy; near 1, requests wait for it */
                event_loop_share: number | null;
            }[];
            /** @description requests that took longer than --slow-after, except streams and requests rejected by a limit */
            slow_requests: {
                /** @description value of --slow-after */
                after_seconds: number;
                /** @description whether --log-queries is set, so that sql is present */
                has_texts: boolean;
                /** @description number of slow requests since the processes started */
                total: number;
                /** @description at most 100, newest first */
                latest: {
                    /** @description X-Request-Id of the response, and reqId in the log */
                    request_id: string;
                    /** @description when it arrived, unix seconds */
                    at: number;
                    method: string;
                    /** @description pattern of the route; parameters are left out, because they may contain keys */
                    path: string;
                    /** @description id of the API key, or the address if the service needs no keys */
                    client: string;
                    /** @description null if the request names none */
                    chain: string | null;
                    /** @description 499: the client disconnected before the response was sent */
                    status: number;
                    /** @description time until the response was ready, not counting the time to send it */
                    ms: number;
                    /** @description part of that time in which the SQL query was running; null for other requests, and if the query failed */
                    run_ms: number | null;
                    /** @description rows that the database read; null with the embedded engine, which does not report this number */
                    rows_read: number | null;
                    /** @description fingerprint of the SQL text, as in the log */
                    query: string | null;
                    /** @description the text itself, up to 2000 characters; null without --log-queries */
                    sql: string | null;
                }[];
                /** @description the slowest of the last 24 hours, at most 50, slowest first */
                slowest: {
                    /** @description X-Request-Id of the response, and reqId in the log */
                    request_id: string;
                    /** @description when it arrived, unix seconds */
                    at: number;
                    method: string;
                    /** @description pattern of the route; parameters are left out, because they may contain keys */
                    path: string;
                    /** @description id of the API key, or the address if the service needs no keys */
                    client: string;
                    /** @description null if the request names none */
                    chain: string | null;
                    /** @description 499: the client disconnected before the response was sent */
                    status: number;
                    /** @description time until the response was ready, not counting the time to send it */
                    ms: number;
                    /** @description part of that time in which the SQL query was running; null for other requests, and if the query failed */
                    run_ms: number | null;
                    /** @description rows that the database read; null with the embedded engine, which does not report this number */
                    rows_read: number | null;
                    /** @description fingerprint of the SQL text, as in the log */
                    query: string | null;
                    /** @description the text itself, up to 2000 characters; null without --log-queries */
                    sql: string | null;
                }[];
            };
        };
        CheckUsageAnswer: {
            /** @description id of the key, which is not secret */
            key: string;
            /** @description what the key may be used for */
            scopes: ("data" | "sql" | "metrics" | "operations")[];
            /** @description unix seconds; null: the key does not expire */
            expires_at: number | null;
            /** @description the current calendar month (UTC), which the counts cover */
            month: string;
            /** @description unix seconds when the next month begins */
            resets_at: number;
            /** @description accepted requests; each call of a batch counts. Requests that the rate limit or the quota rejected, and requests to this endpoint, do not count */
            requests: number;
            /** @description maximum number of requests in a month; null: unlimited */
            requests_limit: number | null;
            /** @description null: unlimited */
            requests_remaining: number | null;
            /** @description SQL queries among the requests */
            sql_queries: number;
            /** @description time that the database spent on these queries */
            sql_seconds: number;
            /** @description true: the counts cover all processes of the service and are up to ten seconds old; false: they cover only the process that handled this request, since that process started */
            is_recorded: boolean;
            /** @description limits of the key's queries */
            limits: {
                /** @description time limit of a query */
                query_seconds: number;
                /** @description maximum memory of a query */
                query_mebibytes: number;
                /** @description maximum number of rows of an SQL answer; in JSON, at most 100,000 */
                sql_rows: number;
            };
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
            tags: {
                [key: string]: unknown;
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
        /** @description A parameter is missing or invalid, or the query is not allowed. */
        BadInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "X-Sql-Error": components["headers"]["X-Sql-Error"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The service requires an API key; it is missing, invalid or expired. */
        BadKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key lacks the scope of this endpoint, or the Host or Origin of the request is not allowed. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The Accept header allows none of the available media types. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The URL is too long; send the parameters by POST if the endpoint offers it. */
        UrlTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body was not sent as application/json, or is compressed (Content-Encoding). */
        NotJson: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A limit of the client is reached, or the request waited too long: send it again after the number of seconds in Retry-After. */
        Busy: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal error of the service; the message contains the request id. */
        Fault: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The service is overloaded, not ready or stopping, or its newest block is older than max_lag. */
        NotReady: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The response with the ETag in If-None-Match is still the newest one. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-First-Block": components["headers"]["X-First-Block"];
                "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                "X-Commit": components["headers"]["X-Commit"];
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The call failed; for a single call, the HTTP status is the error's code. */
        RpcProblem: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcProblem"];
            };
        };
        /** @description The request failed; the HTTP status is the same as for other endpoints. */
        UdfProblem: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UdfProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description identifies the request in the service's log */
        "X-Request-Id": string;
        /** @description first indexed block: the response is complete from this block on and ignores earlier blocks */
        "X-First-Block": number;
        /** @description the response includes all blocks up to this one; absent if it does not depend on one chain's blocks */
        "X-Indexed-Block": number;
        /** @description time of block X-Indexed-Block, unix seconds */
        "X-Indexed-Timestamp": number;
        /** @description hash of block X-Indexed-Block */
        "X-Indexed-Block-Hash": string;
        /** @description number of commits, rollbacks and repairs of the chain: responses with equal numbers reflect the same blocks */
        "X-Commit": number;
        /** @description identifies the response: send it as If-None-Match to get 304 while nothing has changed */
        ETag: string;
        /** @description no-cache: caches may keep the response, but must revalidate it; max-age: it is final; private: keys are required */
        "Cache-Control": string;
        /** @description request headers on which the response depends */
        Vary: string;
        /** @description kind of the error, a stable identifier for programs */
        "X-Error-Code": "bad-input" | "bad-key" | "forbidden" | "not-found" | "method-not-allowed" | "not-acceptable" | "not-json" | "unknown-chain" | "unsupported" | "too-large" | "memory" | "timeout" | "busy" | "quota" | "overloaded" | "not-ready" | "unavailable" | "stale" | "internal";
        /** @description for errors in a SQL query: JSON of the schema SqlMistake; otherwise absent */
        "X-Sql-Error": string;
        /** @description seconds to wait before a retry */
        "Retry-After": number;
        /** @description number of requests that the client may send at once; absent if its rate is not limited */
        "RateLimit-Limit": number;
        /** @description number of requests that the client may still send at once */
        "RateLimit-Remaining": number;
        /** @description seconds until the client may again send RateLimit-Limit requests at once */
        "RateLimit-Reset": number;
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    /** @description chain that the query read; absent for SHOW TABLES */
                    "X-Chain"?: string;
                    /** @description maximum number of rows in the response */
                    "X-Row-Limit"?: number;
                    /** @description true if there are more rows than the response may have */
                    "X-Truncated"?: boolean;
                    /** @description time for which the query ran while the request waited, in milliseconds; 0 for a cached answer */
                    "X-Elapsed-Ms"?: number;
                    /** @description rows that the database read for the answer; absent with the embedded engine, which does not report this number */
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
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
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
                     *               "doc": "block time"
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
            403: components["responses"]["Forbidden"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfTransactions: {
        parameters: {
            query: {
                /**
                 * @description column to group by
                 * @example to_address
                 */
                groupby: "timestamp" | "transaction_hash" | "transaction_index" | "block_number" | "block_hash" | "from_address" | "to_address" | "contract_address" | "value_base" | "value_eth" | "nonce" | "method_id" | "type" | "gas_limit" | "gas_used" | "gas_price" | "max_fee_per_gas" | "max_priority_fee_per_gas" | "transaction_fee_eth" | "transaction_fee_usd" | "status" | "record_index";
                /**
                 * @description values of the groupby column to look up; each is a key of the response, exactly as sent
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                eq: (string | number)[];
                /** @description column to sort by; nulls come last */
                sortby?: "timestamp" | "transaction_hash" | "transaction_index" | "block_number" | "block_hash" | "from_address" | "to_address" | "contract_address" | "value_base" | "value_eth" | "nonce" | "method_id" | "type" | "gas_limit" | "gas_used" | "gas_price" | "max_fee_per_gas" | "max_priority_fee_per_gas" | "transaction_fee_eth" | "transaction_fee_usd" | "status" | "record_index";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description maximum number of records per group; at most 100000 across all groups
                 * @example 1
                 */
                size?: number;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "block_number": 18937382,
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "from_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "to_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "contract_address": null,
                     *           "value_base": "10000000000000000",
                     *           "value_eth": 22.5,
                     *           "nonce": 12,
                     *           "input": "0xa9059cbb",
                     *           "method_id": "0xa9059cbb",
                     *           "type": 1,
                     *           "gas_limit": 21000,
                     *           "gas_used": 12,
                     *           "gas_price": 20000000000,
                     *           "max_fee_per_gas": 20000000000,
                     *           "max_priority_fee_per_gas": 20000000000,
                     *           "transaction_fee_eth": 22.5,
                     *           "transaction_fee_usd": 22.5,
                     *           "status": 1,
                     *           "record_index": 9928642134028
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfTransactionsAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfTransactionsByPost: {
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
                 *       "groupby": "to_address",
                 *       "eq": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetTopRecordsOfTransactionsBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "block_number": 18937382,
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "from_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "to_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "contract_address": null,
                     *           "value_base": "10000000000000000",
                     *           "value_eth": 22.5,
                     *           "nonce": 12,
                     *           "input": "0xa9059cbb",
                     *           "method_id": "0xa9059cbb",
                     *           "type": 1,
                     *           "gas_limit": 21000,
                     *           "gas_used": 12,
                     *           "gas_price": 20000000000,
                     *           "max_fee_per_gas": 20000000000,
                     *           "max_priority_fee_per_gas": 20000000000,
                     *           "transaction_fee_eth": 22.5,
                     *           "transaction_fee_usd": 22.5,
                     *           "status": 1,
                     *           "record_index": 9928642134028
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfTransactionsAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfBlocks: {
        parameters: {
            query: {
                /**
                 * @description column to group by
                 * @example miner
                 */
                groupby: "timestamp" | "block_number" | "block_hash" | "parent_hash" | "miner" | "gas_limit" | "gas_used" | "base_fee_per_gas" | "transaction_count" | "size" | "record_index";
                /**
                 * @description values of the groupby column to look up; each is a key of the response, exactly as sent
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                eq: (string | number)[];
                /** @description column to sort by; nulls come last */
                sortby?: "timestamp" | "block_number" | "block_hash" | "parent_hash" | "miner" | "gas_limit" | "gas_used" | "base_fee_per_gas" | "transaction_count" | "size" | "record_index";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description maximum number of records per group; at most 100000 across all groups
                 * @example 1
                 */
                size?: number;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "block_number": 18937382,
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "parent_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "miner": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "gas_limit": 21000,
                     *           "gas_used": 12,
                     *           "base_fee_per_gas": 20000000000,
                     *           "transaction_count": 12,
                     *           "size": 12,
                     *           "extra_data": "0xa9059cbb",
                     *           "record_index": 9928642134028
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfBlocksAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfBlocksByPost: {
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
                 *       "groupby": "miner",
                 *       "eq": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetTopRecordsOfBlocksBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "block_number": 18937382,
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "parent_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "miner": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "gas_limit": 21000,
                     *           "gas_used": 12,
                     *           "base_fee_per_gas": 20000000000,
                     *           "transaction_count": 12,
                     *           "size": 12,
                     *           "extra_data": "0xa9059cbb",
                     *           "record_index": 9928642134028
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfBlocksAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfLogs: {
        parameters: {
            query: {
                /**
                 * @description column to group by
                 * @example address
                 */
                groupby: "timestamp" | "address" | "block_hash" | "block_number" | "log_index" | "record_index" | "topic_0" | "topic_1" | "topic_2" | "topic_3" | "transaction_hash" | "transaction_index";
                /**
                 * @description values of the groupby column to look up; each is a key of the response, exactly as sent
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                eq: (string | number)[];
                /** @description column to sort by; nulls come last */
                sortby?: "timestamp" | "address" | "block_hash" | "block_number" | "log_index" | "record_index" | "topic_0" | "topic_1" | "topic_2" | "topic_3" | "transaction_hash" | "transaction_index";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description maximum number of records per group; at most 100000 across all groups
                 * @example 1
                 */
                size?: number;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "block_number": 18937382,
                     *           "data": "0xa9059cbb",
                     *           "log_index": 12,
                     *           "record_index": 9928642134028,
                     *           "topic_0": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "topic_1": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "topic_2": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "topic_3": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfLogsAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfLogsByPost: {
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
                 *       "groupby": "address",
                 *       "eq": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetTopRecordsOfLogsBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "block_number": 18937382,
                     *           "data": "0xa9059cbb",
                     *           "log_index": 12,
                     *           "record_index": 9928642134028,
                     *           "topic_0": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "topic_1": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "topic_2": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "topic_3": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfLogsAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfErc20: {
        parameters: {
            query: {
                /**
                 * @description column to group by
                 * @example token_address
                 */
                groupby: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "value_base" | "value_token" | "value_usd";
                /**
                 * @description values of the groupby column to look up; each is a key of the response, exactly as sent
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                eq: (string | number)[];
                /** @description column to sort by; nulls come last */
                sortby?: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "value_base" | "value_token" | "value_usd";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description maximum number of records per group; at most 100000 across all groups
                 * @example 1
                 */
                size?: number;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "record_index": 9928642134028,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "from_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "to_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "log_index": 12,
                     *           "value_base": "10000000000000000",
                     *           "value_token": 22.5,
                     *           "value_usd": 22.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfErc20Answer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfErc20ByPost: {
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
                 *       "groupby": "token_address",
                 *       "eq": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetTopRecordsOfErc20Body"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "record_index": 9928642134028,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "from_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "to_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "log_index": 12,
                     *           "value_base": "10000000000000000",
                     *           "value_token": 22.5,
                     *           "value_usd": 22.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfErc20Answer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfErc721: {
        parameters: {
            query: {
                /**
                 * @description column to group by
                 * @example token_address
                 */
                groupby: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "token_id";
                /**
                 * @description values of the groupby column to look up; each is a key of the response, exactly as sent
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                eq: (string | number)[];
                /** @description column to sort by; nulls come last */
                sortby?: "record_index" | "transaction_hash" | "transaction_index" | "block_number" | "timestamp" | "from_address" | "to_address" | "token_address" | "token_symbol" | "token_name" | "log_index" | "token_id";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description maximum number of records per group; at most 100000 across all groups
                 * @example 1
                 */
                size?: number;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "record_index": 9928642134028,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "from_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "to_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "log_index": 12,
                     *           "token_id": "10000000000000000"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfErc721Answer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfErc721ByPost: {
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
                 *       "groupby": "token_address",
                 *       "eq": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetTopRecordsOfErc721Body"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "record_index": 9928642134028,
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "from_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "to_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "log_index": 12,
                     *           "token_id": "10000000000000000"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfErc721Answer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfDexTrades: {
        parameters: {
            query: {
                /**
                 * @description column to group by
                 * @example token_address
                 */
                groupby: "timestamp" | "amount_eth" | "amount_token" | "amount_usd" | "amount_quote" | "amounts_unknown_reason" | "block_hash" | "block_number" | "interacted_with_address" | "log_index" | "num_trades_1h" | "num_trades_24h" | "pool_address" | "price_token_eth" | "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h" | "protocol_name" | "quote_address" | "record_index" | "side" | "token_address" | "token_name" | "token_symbol" | "trader_address" | "transaction_hash" | "transaction_index" | "volume_1h_usd" | "volume_24h_usd";
                /**
                 * @description values of the groupby column to look up; each is a key of the response, exactly as sent
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                eq: (string | number)[];
                /** @description column to sort by; nulls come last */
                sortby?: "timestamp" | "amount_eth" | "amount_token" | "amount_usd" | "amount_quote" | "amounts_unknown_reason" | "block_hash" | "block_number" | "interacted_with_address" | "log_index" | "num_trades_1h" | "num_trades_24h" | "pool_address" | "price_token_eth" | "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h" | "protocol_name" | "quote_address" | "record_index" | "side" | "token_address" | "token_name" | "token_symbol" | "trader_address" | "transaction_hash" | "transaction_index" | "volume_1h_usd" | "volume_24h_usd";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description maximum number of records per group; at most 100000 across all groups
                 * @example 1
                 */
                size?: number;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description true: leaves wash trades (docs/verdicts.md) out of the records */
                exclude_wash?: boolean;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "amount_eth": 22.5,
                     *           "amount_token": 22.5,
                     *           "amount_usd": 22.5,
                     *           "amount_quote": 22.5,
                     *           "amounts_unknown_reason": "WETH",
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "block_number": 18937382,
                     *           "interacted_with_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "log_index": 12,
                     *           "num_trades_1h": 12,
                     *           "num_trades_24h": 12,
                     *           "pool_address": "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
                     *           "price_token_eth": 22.5,
                     *           "price_token_usd_tick_1": 22.5,
                     *           "price_token_usd_tick_100": 22.5,
                     *           "price_token_usd_wavg_1h": 22.5,
                     *           "price_token_usd_wavg_24h": 22.5,
                     *           "price_token_usd_robust_tick_1": 22.5,
                     *           "price_token_usd_robust_total_1h": 22.5,
                     *           "price_token_usd_robust_total_24h": 22.5,
                     *           "price_token_usd_robust_buy_1h": 22.5,
                     *           "price_token_usd_robust_buy_24h": 22.5,
                     *           "price_token_usd_robust_sell_1h": 22.5,
                     *           "price_token_usd_robust_sell_24h": 22.5,
                     *           "price_token_usd_robust_mid_1h": 22.5,
                     *           "price_token_usd_robust_mid_24h": 22.5,
                     *           "protocol_name": "uniswap_v3",
                     *           "quote_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "record_index": 9928642134028,
                     *           "side": "buy",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_name": "Wrapped Ether",
                     *           "token_symbol": "WETH",
                     *           "trader_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "volume_1h_usd": 22.5,
                     *           "volume_24h_usd": 22.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfDexTradesAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfDexTradesByPost: {
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
                 *       "groupby": "token_address",
                 *       "eq": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetTopRecordsOfDexTradesBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "timestamp": 1704412823,
                     *           "amount_eth": 22.5,
                     *           "amount_token": 22.5,
                     *           "amount_usd": 22.5,
                     *           "amount_quote": 22.5,
                     *           "amounts_unknown_reason": "WETH",
                     *           "block_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "block_number": 18937382,
                     *           "interacted_with_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "log_index": 12,
                     *           "num_trades_1h": 12,
                     *           "num_trades_24h": 12,
                     *           "pool_address": "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
                     *           "price_token_eth": 22.5,
                     *           "price_token_usd_tick_1": 22.5,
                     *           "price_token_usd_tick_100": 22.5,
                     *           "price_token_usd_wavg_1h": 22.5,
                     *           "price_token_usd_wavg_24h": 22.5,
                     *           "price_token_usd_robust_tick_1": 22.5,
                     *           "price_token_usd_robust_total_1h": 22.5,
                     *           "price_token_usd_robust_total_24h": 22.5,
                     *           "price_token_usd_robust_buy_1h": 22.5,
                     *           "price_token_usd_robust_buy_24h": 22.5,
                     *           "price_token_usd_robust_sell_1h": 22.5,
                     *           "price_token_usd_robust_sell_24h": 22.5,
                     *           "price_token_usd_robust_mid_1h": 22.5,
                     *           "price_token_usd_robust_mid_24h": 22.5,
                     *           "protocol_name": "uniswap_v3",
                     *           "quote_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "record_index": 9928642134028,
                     *           "side": "buy",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_name": "Wrapped Ether",
                     *           "token_symbol": "WETH",
                     *           "trader_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "transaction_hash": "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
                     *           "transaction_index": 12,
                     *           "volume_1h_usd": 22.5,
                     *           "volume_24h_usd": 22.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfDexTradesAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfTokenBalances: {
        parameters: {
            query: {
                /**
                 * @description column to group by
                 * @example token_address
                 */
                groupby: "wallet_address" | "token_address" | "token_symbol" | "balance_base" | "balance_token" | "block_number" | "timestamp" | "record_index";
                /**
                 * @description values of the groupby column to look up; each is a key of the response, exactly as sent
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                eq: (string | number)[];
                /** @description column to sort by; nulls come last */
                sortby?: "wallet_address" | "token_address" | "token_symbol" | "balance_base" | "balance_token" | "block_number" | "timestamp" | "record_index";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description maximum number of records per group; at most 100000 across all groups
                 * @example 1
                 */
                size?: number;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "wallet_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "balance_base": "10000000000000000",
                     *           "balance_token": 22.5,
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "record_index": 9928642134028
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfTokenBalancesAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getTopRecordsOfTokenBalancesByPost: {
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
                 *       "groupby": "token_address",
                 *       "eq": [
                 *         "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *       ],
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetTopRecordsOfTokenBalancesBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": [
                     *         {
                     *           "wallet_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "balance_base": "10000000000000000",
                     *           "balance_token": 22.5,
                     *           "block_number": 18937382,
                     *           "timestamp": 1704412823,
                     *           "record_index": 9928642134028
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetTopRecordsOfTokenBalancesAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
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
                /** @description pool whose trades are used; all: every pool */
                pool_address?: string;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /**
                 * @description length of a candle; candles are aligned to the unix epoch
                 * @example 1d
                 */
                interval?: string;
                /** @description earliest timestamp_open */
                from_timestamp?: number;
                /** @description latest timestamp_open; the newest candle contains this time, or the current time if that is earlier; by default the time of the request */
                until_timestamp?: number;
                /**
                 * @description maximum number of candles in the response, after ordering
                 * @example 1
                 */
                max_size?: number;
                /** @description desc: newest first; asc: oldest first */
                order?: "desc" | "asc";
                /** @description true: after the first trade with a price, an interval without trades repeats the previous close; false: its prices are null */
                fill?: boolean;
                /**
                 * @description adds volume and num_trades
                 * @example true
                 */
                with_volume?: boolean;
                /** @description true: leaves wash trades (docs/verdicts.md) out of volume and num_trades; prices are not affected */
                exclude_wash?: boolean;
                /** @description prev_close: open is the previous close; first_trade: open is the price of the first trade in the interval */
                open_method?: "prev_close" | "first_trade";
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
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
                 * @description one or more tokens; duplicates count once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description one or more pools whose trades are used; all: every pool */
                pool_address?: string | string[];
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /** @description earliest trade time, unix seconds; by default ten days before until_timestamp */
                from_timestamp?: number;
                /** @description latest trade time, unix seconds; by default the time of the request */
                until_timestamp?: number;
                /** @description true: leaves wash trades (docs/verdicts.md) out of the ticks */
                exclude_wash?: boolean;
                /**
                 * @description number of newest ticks per token; at most 1,000,000 across all tokens
                 * @example 1
                 */
                size?: number;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
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
                 * @description tokens; duplicates count once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description pool whose trades are used; all: every pool */
                pool_address?: string;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
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
                 * @description tokens; duplicates count once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
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
                 * @description tokens; duplicates count once
                 * @example [
                 *       "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                 *     ]
                 */
                token_address: string[];
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /**
                 * @description end of the period; by default the time of the request
                 * @example 1704455999
                 */
                timestamp?: number;
                /**
                 * @description length of the period, a number and a unit (s, m, h or d), at most 30d
                 * @example 1h
                 */
                lookback?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
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
                 * @description pools; duplicates count once
                 * @example [
                 *       "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"
                 *     ]
                 */
                pool_address: string[];
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description price used to value the tokens */
                price_type?: "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h";
                /**
                 * @description time of the balances and prices; by default the time of the request
                 * @example 1704455999
                 */
                timestamp?: number;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getPoolTvlHistory: {
        parameters: {
            query: {
                /**
                 * @description pool
                 * @example 0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc
                 */
                pool_address: string;
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description price used to value the tokens */
                price_type?: "price_token_usd_tick_1" | "price_token_usd_tick_100" | "price_token_usd_wavg_1h" | "price_token_usd_wavg_24h" | "price_token_usd_robust_tick_1" | "price_token_usd_robust_total_1h" | "price_token_usd_robust_total_24h" | "price_token_usd_robust_buy_1h" | "price_token_usd_robust_buy_24h" | "price_token_usd_robust_sell_1h" | "price_token_usd_robust_sell_24h" | "price_token_usd_robust_mid_1h" | "price_token_usd_robust_mid_24h";
                /**
                 * @description time between two points; every point is at a multiple of it
                 * @example 1h
                 */
                interval?: string;
                /** @description earliest as_of_timestamp */
                from_timestamp?: number;
                /**
                 * @description latest as_of_timestamp; by default the time of the request
                 * @example 1704456000
                 */
                until_timestamp?: number;
                /**
                 * @description maximum number of points in the response, after ordering
                 * @example 1
                 */
                max_size?: number;
                /** @description desc: newest first; asc: oldest first */
                order?: "desc" | "asc";
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pool_address": "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
                     *       "token_0_address": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                     *       "token_1_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "data": [
                     *         {
                     *           "as_of_timestamp": 1704456000,
                     *           "block_number": 18940012,
                     *           "timestamp": 1704455951,
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
                    "application/json": components["schemas"]["GetPoolTvlHistoryAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getPoolTvlHistoryByPost: {
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
                 *       "pool_address": "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
                 *       "interval": "1h",
                 *       "until_timestamp": 1704456000,
                 *       "max_size": 1
                 *     }
                 */
                "application/json": components["schemas"]["GetPoolTvlHistoryBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pool_address": "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
                     *       "token_0_address": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                     *       "token_1_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "data": [
                     *         {
                     *           "as_of_timestamp": 1704456000,
                     *           "block_number": 18940012,
                     *           "timestamp": 1704455951,
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
                    "application/json": components["schemas"]["GetPoolTvlHistoryAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
                 * @description wallets, as senders of transactions; duplicates count once, and wallets in excess of 1000 wallets or 100000 trades are returned in remainder
                 * @example [
                 *       "0x28c6c06298d514db089934071355e5743bf21d60"
                 *     ]
                 */
                wallet_address: string[];
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description true: exclude trades of the chain's stablecoins */
                total_exclude?: boolean;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
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
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /**
                 * @description true: exclude trades of the chain's stablecoins
                 * @example true
                 */
                total_exclude?: boolean;
                /** @description for a wallet with more than 100000 trades: true uses the newest 100000, false rejects the request */
                max_size_ok?: boolean;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
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
                /** @description chain to query; GET /v1/status lists the available chains */
                chain?: string;
                /** @description true: exclude trades of the chain's stablecoins */
                total_exclude?: boolean;
                /** @description for a wallet with more than 100000 trades: true uses the newest 100000, false rejects the request */
                max_size_ok?: boolean;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
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
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    stream: {
        parameters: {
            query?: {
                /** @description chain to stream; GET /v1/status lists the available chains */
                chain?: string;
                /** @description one or more subscriptions: see docs/streams.md; with GET, as JSON text */
                subscriptions?: string;
                /** @description id of the last frame that the client has: the stream resumes after it and sends no snapshot. The header Last-Event-ID takes precedence */
                after?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
                /**
                 * @description instead of subscriptions: the type of a single subscription, whose filters are then separate parameters
                 * @example trades
                 */
                type?: "trades" | "transfers" | "pools" | "tokens" | "blocks" | "prices" | "candles" | "pool_state";
                /** @description instead of subscriptions: the id of the single subscription; default: its type */
                id?: string;
                /** @description trades: only trades of these tokens; transfers: only transfers of these tokens; pools: only pools whose first or second token is one of these; prices: tokens; duplicates count once; candles: token */
                token_address?: string[];
                /** @description trades: only trades in these pools; candles: pool whose trades are used; all: every pool; pool_state: pools; duplicates count once */
                pool_address?: string[];
                /** @description trades: only trades of these wallets (senders of the transactions) */
                trader_address?: string[];
                /**
                 * @description trades: only trades worth at least this, USD; trades without a known value are left out; transfers: only erc20 transfers worth at least this, USD; those without a known value are left out
                 * @example 10000
                 */
                min_usd?: number;
                /** @description trades: true: only trades that the robust price accepts (no outliers, and worth 1 USD or more) */
                accepted?: boolean;
                /** @description transfers: token standard of the transfers */
                standard?: "erc20" | "erc721";
                /** @description transfers: only transfers from or to these addresses */
                wallet_address?: string[];
                /** @description transfers: only transfers from these addresses */
                from_address?: string[];
                /** @description transfers: only transfers to these addresses */
                to_address?: string[];
                /** @description candles: price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers */
                price_type?: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
                /** @description candles: length of a candle; candles are aligned to the unix epoch */
                interval?: string;
                /** @description candles: number of candles in the first snapshot, including the newest */
                history?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 812:18937382:0x5ad1fc7c8e3e3a6c4e3d4f4d0a7a0a4f2e2c3b9a1d6c8e7f5a4b3c2d1e0f9a8b
                     *     event: block
                     *     data: {"chain":"eth","commit":812,"block":18937382,"hash":"0x5ad1fc7c8e3e3a6c4e3d4f4d0a7a0a4f2e2c3b9a1d6c8e7f5a4b3c2d1e0f9a8b","parent_hash":"0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05","timestamp":1704412823,"finalized":18937310,"data":{}}
                     */
                    "text/event-stream": components["schemas"]["StreamAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    streamByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "type": "trades",
                 *       "min_usd": 10000
                 *     }
                 */
                "application/json": components["schemas"]["StreamBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 812:18937382:0x5ad1fc7c8e3e3a6c4e3d4f4d0a7a0a4f2e2c3b9a1d6c8e7f5a4b3c2d1e0f9a8b
                     *     event: block
                     *     data: {"chain":"eth","commit":812,"block":18937382,"hash":"0x5ad1fc7c8e3e3a6c4e3d4f4d0a7a0a4f2e2c3b9a1d6c8e7f5a4b3c2d1e0f9a8b","parent_hash":"0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05","timestamp":1704412823,"finalized":18937310,"data":{}}
                     */
                    "text/event-stream": components["schemas"]["StreamAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * @description a symbol or name, or part of one; a pair such as weth/usdc; or the start of an address or pool id, 0x and at least two digits
                 * @example weth
                 */
                query: string;
                /** @description chain to search; by default all chains that are served */
                chain?: string;
                /** @description all: tokens and pools */
                kind?: "all" | "token" | "pool";
                /**
                 * @description maximum number of tokens, and of pools
                 * @example 1
                 */
                size?: number;
                /** @description true: include spam tokens and their pools, after the others */
                show_spam?: boolean;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "chain": "eth",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "volume_24h_usd": 186402113.5,
                     *           "trades_24h": 3040,
                     *           "accepted_trades_24h": 3021,
                     *           "spam_reasons": null
                     *         }
                     *       ],
                     *       "pools": [
                     *         {
                     *           "chain": "eth",
                     *           "pool_address": "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
                     *           "protocol": "uniswap_v3",
                     *           "fee": 500,
                     *           "token_addresses": [
                     *             "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                     *             "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                     *           ],
                     *           "token_symbols": [
                     *             "USDC",
                     *             "WETH"
                     *           ],
                     *           "volume_24h_usd": 120402113.25,
                     *           "trades_24h": 2140,
                     *           "accepted_trades_24h": 2139,
                     *           "spam_reasons": null
                     *         }
                     *       ],
                     *       "hidden_spam": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    searchByPost: {
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
                 *       "query": "weth",
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["SearchBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "chain": "eth",
                     *           "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *           "token_symbol": "WETH",
                     *           "token_name": "Wrapped Ether",
                     *           "volume_24h_usd": 186402113.5,
                     *           "trades_24h": 3040,
                     *           "accepted_trades_24h": 3021,
                     *           "spam_reasons": null
                     *         }
                     *       ],
                     *       "pools": [
                     *         {
                     *           "chain": "eth",
                     *           "pool_address": "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
                     *           "protocol": "uniswap_v3",
                     *           "fee": 500,
                     *           "token_addresses": [
                     *             "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                     *             "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                     *           ],
                     *           "token_symbols": [
                     *             "USDC",
                     *             "WETH"
                     *           ],
                     *           "volume_24h_usd": 120402113.25,
                     *           "trades_24h": 2140,
                     *           "accepted_trades_24h": 2139,
                     *           "spam_reasons": null
                     *         }
                     *       ],
                     *       "hidden_spam": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    screener: {
        parameters: {
            query?: {
                /**
                 * @description what to list
                 * @example token
                 */
                kind?: "token" | "pool";
                /**
                 * @description chain to list; by default all chains that are served
                 * @example eth
                 */
                chain?: string;
                /**
                 * @description period whose trades are included, up to the newest block
                 * @example 1h
                 */
                window?: "5m" | "1h" | "6h" | "24h" | "7d";
                /**
                 * @description field to sort by; nulls come last
                 * @example price_change_pct
                 */
                sortby?: "volume_usd" | "trades" | "traders" | "price_change_pct" | "liquidity_usd" | "created_timestamp";
                /** @description desc: largest or newest first; asc: smallest or oldest first */
                order?: "desc" | "asc";
                /**
                 * @description rows per page
                 * @example 1
                 */
                size?: number;
                /** @description page of the list */
                page?: number;
                /** @description minimum volume in the window */
                min_volume_usd?: number;
                /** @description maximum volume in the window */
                max_volume_usd?: number;
                /** @description minimum number of trades in the window */
                min_trades?: number;
                /** @description maximum number of trades in the window */
                max_trades?: number;
                /**
                 * @description minimum number of distinct traders in the window
                 * @example 20
                 */
                min_traders?: number;
                /** @description maximum number of distinct traders in the window */
                max_traders?: number;
                /** @description minimum price change over the window, in percent */
                min_price_change_pct?: number;
                /** @description maximum price change over the window, in percent */
                max_price_change_pct?: number;
                /** @description minimum liquidity; leaves out rows whose liquidity is unknown */
                min_liquidity_usd?: number;
                /** @description maximum liquidity; leaves out rows whose liquidity is unknown */
                max_liquidity_usd?: number;
                /** @description created at least this long before the newest block */
                min_age?: string;
                /** @description created at most this long before the newest block; includes tokens or pools that have not been traded yet */
                max_age?: string;
                /** @description pools of this protocol, such as uniswap_v3; for tokens, only trades in these pools are included */
                protocol?: string;
                /** @description only these tokens, or only pools with at least one of them */
                token_address?: string[];
                /** @description true: include spam tokens and their pools */
                show_spam?: boolean;
                /** @description true: leave out the trades of pools on days with wash trades */
                exclude_wash?: boolean;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "chain": "eth",
                     *           "token_address": "0x6982508145454ce325ddbe47a25d4ec3d2311933",
                     *           "token_symbol": "PEPE",
                     *           "token_name": "Pepe",
                     *           "volume_usd": 1864021.5,
                     *           "trades": 340,
                     *           "traders": 212,
                     *           "price_usd": 0.0000013,
                     *           "price_change_pct": 8.25,
                     *           "pools": 3,
                     *           "main_pool_address": "0xa43fe16908251ee70ef74718545e4fe6c5ccec9f",
                     *           "liquidity_usd": 12402113.25,
                     *           "created_timestamp": 1681480799,
                     *           "spam_reasons": null
                     *         }
                     *       ],
                     *       "pools": [],
                     *       "total": 41,
                     *       "hidden_spam": 0,
                     *       "hidden_wash": 0,
                     *       "limited": false
                     *     }
                     */
                    "application/json": components["schemas"]["ScreenerAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    screenerByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "kind": "token",
                 *       "chain": "eth",
                 *       "window": "1h",
                 *       "sortby": "price_change_pct",
                 *       "min_traders": 20,
                 *       "size": 1
                 *     }
                 */
                "application/json": components["schemas"]["ScreenerBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "chain": "eth",
                     *           "token_address": "0x6982508145454ce325ddbe47a25d4ec3d2311933",
                     *           "token_symbol": "PEPE",
                     *           "token_name": "Pepe",
                     *           "volume_usd": 1864021.5,
                     *           "trades": 340,
                     *           "traders": 212,
                     *           "price_usd": 0.0000013,
                     *           "price_change_pct": 8.25,
                     *           "pools": 3,
                     *           "main_pool_address": "0xa43fe16908251ee70ef74718545e4fe6c5ccec9f",
                     *           "liquidity_usd": 12402113.25,
                     *           "created_timestamp": 1681480799,
                     *           "spam_reasons": null
                     *         }
                     *       ],
                     *       "pools": [],
                     *       "total": 41,
                     *       "hidden_spam": 0,
                     *       "hidden_wash": 0,
                     *       "limited": false
                     *     }
                     */
                    "application/json": components["schemas"]["ScreenerAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    udfConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "supported_resolutions": [
                     *         "1S",
                     *         "5S",
                     *         "15S",
                     *         "30S",
                     *         "1",
                     *         "3",
                     *         "5",
                     *         "15",
                     *         "30",
                     *         "60",
                     *         "120",
                     *         "240",
                     *         "360",
                     *         "720",
                     *         "1D",
                     *         "1W",
                     *         "1M"
                     *       ],
                     *       "supports_search": true,
                     *       "supports_group_request": false,
                     *       "supports_marks": true,
                     *       "supports_timescale_marks": false,
                     *       "supports_time": true,
                     *       "exchanges": [
                     *         {
                     *           "value": "",
                     *           "name": "All chains",
                     *           "desc": "All chains"
                     *         },
                     *         {
                     *           "value": "eth",
                     *           "name": "eth",
                     *           "desc": "eth"
                     *         }
                     *       ],
                     *       "symbols_types": [
                     *         {
                     *           "value": "",
                     *           "name": "All"
                     *         },
                     *         {
                     *           "value": "token",
                     *           "name": "Tokens"
                     *         },
                     *         {
                     *           "value": "pool",
                     *           "name": "Pools"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UdfConfigAnswer"];
                };
            };
            default: components["responses"]["UdfProblem"];
        };
    };
    udfSymbols: {
        parameters: {
            query: {
                /**
                 * @description <chain>:<token address>, <chain>:<token address>@<pool> or <chain>:<pool>, each with or without the chain; or a token symbol or a pair
                 * @example eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2
                 */
                symbol: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "crypto",
                     *       "session": "24x7",
                     *       "timezone": "Etc/UTC",
                     *       "currency_code": "USD",
                     *       "format": "price",
                     *       "minmov": 1,
                     *       "visible_plots_set": "ohlcv",
                     *       "volume_precision": 2,
                     *       "has_intraday": true,
                     *       "has_seconds": true,
                     *       "has_daily": true,
                     *       "has_weekly_and_monthly": true,
                     *       "data_status": "streaming",
                     *       "seconds_multipliers": [
                     *         "1",
                     *         "5",
                     *         "15",
                     *         "30"
                     *       ],
                     *       "intraday_multipliers": [
                     *         "1",
                     *         "3",
                     *         "5",
                     *         "15",
                     *         "30",
                     *         "60",
                     *         "120",
                     *         "240",
                     *         "360",
                     *         "720"
                     *       ],
                     *       "daily_multipliers": [
                     *         "1"
                     *       ],
                     *       "weekly_multipliers": [
                     *         "1"
                     *       ],
                     *       "monthly_multipliers": [
                     *         "1"
                     *       ],
                     *       "supported_resolutions": [
                     *         "1S",
                     *         "5S",
                     *         "15S",
                     *         "30S",
                     *         "1",
                     *         "3",
                     *         "5",
                     *         "15",
                     *         "30",
                     *         "60",
                     *         "120",
                     *         "240",
                     *         "360",
                     *         "720",
                     *         "1D",
                     *         "1W",
                     *         "1M"
                     *       ],
                     *       "name": "WETH",
                     *       "ticker": "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "full_name": "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *       "description": "Wrapped Ether",
                     *       "exchange": "eth",
                     *       "listed_exchange": "eth",
                     *       "pricescale": 100
                     *     }
                     */
                    "application/json": components["schemas"]["UdfSymbolsAnswer"];
                };
            };
            default: components["responses"]["UdfProblem"];
        };
    };
    udfSearch: {
        parameters: {
            query?: {
                /**
                 * @description as in /v1/search; empty: the most traded tokens
                 * @example weth
                 */
                query?: string;
                /** @description kind of symbols */
                type?: "" | "all" | "token" | "pool";
                /** @description chain */
                exchange?: string;
                /**
                 * @description maximum number of symbols
                 * @example 1
                 */
                limit?: number;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
                     *         "symbol": "WETH",
                     *         "full_name": "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "ticker": "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "description": "Wrapped Ether",
                     *         "exchange": "eth",
                     *         "type": "token"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UdfSearchAnswer"];
                };
            };
            default: components["responses"]["UdfProblem"];
        };
    };
    udfHistory: {
        parameters: {
            query: {
                /**
                 * @description ticker of /udf/symbols
                 * @example eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2
                 */
                symbol: string;
                /**
                 * @description length of a bar; weeks begin on Monday, months on the 1st, in UTC
                 * @example 60
                 */
                resolution: string;
                /** @description earliest start of a bar; ignored if countback is given */
                from?: number;
                /**
                 * @description bars start before this time; by default the time of the request
                 * @example 1704456000
                 */
                to?: number;
                /**
                 * @description number of bars, the newest before `to`, however old; at most 10000, even without this parameter
                 * @example 2
                 */
                countback?: number;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "s": "ok",
                     *       "t": [
                     *         1704448800,
                     *         1704452400
                     *       ],
                     *       "o": [
                     *         2255.1,
                     *         2248.4
                     *       ],
                     *       "h": [
                     *         2257.3,
                     *         2251.9
                     *       ],
                     *       "l": [
                     *         2246.2,
                     *         2239.8
                     *       ],
                     *       "c": [
                     *         2248.4,
                     *         2241.9
                     *       ],
                     *       "v": [
                     *         9120411.25,
                     *         12433190.5
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UdfHistoryAnswer"];
                };
            };
            default: components["responses"]["UdfProblem"];
        };
    };
    udfTime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1704456000 */
                    "text/plain": components["schemas"]["UdfTimeAnswer"];
                };
            };
            default: components["responses"]["UdfProblem"];
        };
    };
    udfMarks: {
        parameters: {
            query: {
                /**
                 * @description ticker of /udf/symbols
                 * @example eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2
                 */
                symbol: string;
                /**
                 * @description earliest time
                 * @example 1704412800
                 */
                from?: number;
                /** @description latest time; by default the time of the request */
                to?: number;
                /**
                 * @description length of the chart's bars, as in /udf/history
                 * @example 60
                 */
                resolution?: string;
                /** @description mark the trades of this wallet instead of outliers */
                wallet_address?: string;
                /** @description maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted */
                max_lag?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": [
                     *         "17582200017367040"
                     *       ],
                     *       "time": [
                     *         1704448800
                     *       ],
                     *       "color": [
                     *         "#d97706"
                     *       ],
                     *       "text": [
                     *         "Not accepted: buy at 2901.5 USD, 4120.25 USD, 0x0bb5e0dc49ae0b5a…"
                     *       ],
                     *       "label": [
                     *         "!"
                     *       ],
                     *       "labelFontColor": [
                     *         "#ffffff"
                     *       ],
                     *       "minSize": [
                     *         14
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UdfMarksAnswer"];
                };
            };
            default: components["responses"]["UdfProblem"];
        };
    };
    callMethod: {
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
                 *       "method": "v1/getPriceHistoricalOHLC",
                 *       "params": {
                 *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                 *         "interval": "1d",
                 *         "max_size": 1,
                 *         "with_volume": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CallMethodBody"];
            };
        };
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
                    "X-Indexed-Block": components["headers"]["X-Indexed-Block"];
                    "X-Indexed-Timestamp": components["headers"]["X-Indexed-Timestamp"];
                    "X-Indexed-Block-Hash": components["headers"]["X-Indexed-Block-Hash"];
                    "X-Commit": components["headers"]["X-Commit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "jsonrpc": "2.0",
                     *       "result": {
                     *         "token_address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                     *         "data": [
                     *           {
                     *             "timestamp_open": 1704412800,
                     *             "timestamp_close": 1704499199,
                     *             "date_open": "2024-01-05T00:00:00Z",
                     *             "date_close": "2024-01-05T23:59:59Z",
                     *             "price_open": 2267.3,
                     *             "price_high": 2277.6,
                     *             "price_low": 2205.1,
                     *             "price_close": 2268.2,
                     *             "volume": 186402113.5,
                     *             "num_trades": 3040
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallMethodAnswer"];
                };
            };
            default: components["responses"]["RpcProblem"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-First-Block": components["headers"]["X-First-Block"];
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
                     *           "native_coin": {
                     *             "symbol": "ETH",
                     *             "decimals": 18
                     *           },
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
                     *           "block_age": {
                     *             "seen": {
                     *               "p50": 0.9,
                     *               "p95": 2.1,
                     *               "blocks": 256,
                     *               "histogram": [
                     *                 {
                     *                   "above": 0.75,
                     *                   "at_most": 1,
                     *                   "blocks": 150
                     *                 },
                     *                 {
                     *                   "above": 2,
                     *                   "at_most": 3,
                     *                   "blocks": 106
                     *                 }
                     *               ]
                     *             },
                     *             "committed": null,
                     *             "sent": null
                     *           },
                     *           "keep": "all",
                     *           "raw_first_block": 17686110,
                     *           "rows": {
                     *             "blocks": 12,
                     *             "transactions": 2258,
                     *             "logs": 5116
                     *           },
                     *           "proofs": [
                     *             {
                     *               "first_block": 17686110,
                     *               "last_block": 17686121,
                     *               "proof": "block",
                     *               "origin": "rpc"
                     *             }
                     *           ],
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
                     *           "opening_balances": {
                     *             "mode": "pools",
                     *             "reading": 12,
                     *             "waiting": 40,
                     *             "confirmed": 310,
                     *             "rejected": 2,
                     *             "unapplied": 0,
                     *             "message": null
                     *           },
                     *           "rollbacks": {
                     *             "count": 1,
                     *             "deepest": 1,
                     *             "last_at": 1689280200
                     *           },
                     *           "extension": {
                     *             "from_block": 17000000,
                     *             "block": 17343055,
                     *             "target_block": 17686121,
                     *             "blocks_per_second": 95.2,
                     *             "eta_seconds": 3604,
                     *             "message": null
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["OutOfTime"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["Busy"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    getOperations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queues": [
                     *         {
                     *           "kind": "query",
                     *           "tier": "quick",
                     *           "running": 1,
                     *           "running_limit": 4,
                     *           "waiting": 0,
                     *           "waiting_limit": 200,
                     *           "clients": 1,
                     *           "refused": 0
                     *         },
                     *         {
                     *           "kind": "query",
                     *           "tier": "long",
                     *           "running": 2,
                     *           "running_limit": 2,
                     *           "waiting": 3,
                     *           "waiting_limit": 200,
                     *           "clients": 2,
                     *           "refused": 4
                     *         }
                     *       ],
                     *       "resources": [
                     *         {
                     *           "resource": "connections",
                     *           "used": 12,
                     *           "limit": 10000
                     *         }
                     *       ],
                     *       "responses": {
                     *         "total": 90412,
                     *         "status_429": 12,
                     *         "status_503": 4
                     *       },
                     *       "refusals": [
                     *         {
                     *           "limit": "query-queue",
                     *           "count": 4
                     *         }
                     *       ],
                     *       "engines": [
                     *         {
                     *           "chains": [
                     *             "eth"
                     *           ],
                     *           "memory_bytes": 812646400,
                     *           "memory_limit_bytes": 5582618624,
                     *           "running_statements": 3,
                     *           "running_merges": 1,
                     *           "abandoned_statements": 0,
                     *           "message": null
                     *         }
                     *       ],
                     *       "processes": [
                     *         {
                     *           "process": "service",
                     *           "is_responding": true,
                     *           "pid": 4711,
                     *           "started_at": 1689270000,
                     *           "rss_bytes": 1480589312,
                     *           "heap_bytes": 96468992,
                     *           "heap_limit_bytes": 4345298944,
                     *           "buffer_bytes": 8388608,
                     *           "cpu_share": 1.31,
                     *           "event_loop_share": 0.12
                     *         }
                     *       ],
                     *       "slow_requests": {
                     *         "after_seconds": 1,
                     *         "has_texts": false,
                     *         "total": 1,
                     *         "latest": [
                     *           {
                     *             "request_id": "3f0c1a52-5c1e-4a0e-9a41-0d6ffb2f1f5e",
                     *             "at": 1689280200,
                     *             "method": "POST",
                     *             "path": "/v1/sql",
                     *             "client": "key_0123456789ab",
                     *             "chain": "eth",
                     *             "status": 200,
                     *             "ms": 4210,
                     *             "run_ms": 3904,
                     *             "rows_read": null,
                     *             "query": "9f86d081884c",
                     *             "sql": null
                     *           }
                     *         ],
                     *         "slowest": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetOperationsAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
    checkUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "key_0123456789ab",
                     *       "scopes": [
                     *         "data",
                     *         "sql"
                     *       ],
                     *       "expires_at": 1798761600,
                     *       "month": "2026-11",
                     *       "resets_at": 1796083200,
                     *       "requests": 4120,
                     *       "requests_limit": 1000000,
                     *       "requests_remaining": 995880,
                     *       "sql_queries": 77,
                     *       "sql_seconds": 12.5,
                     *       "is_recorded": true,
                     *       "limits": {
                     *         "query_seconds": 30,
                     *         "query_mebibytes": 2048,
                     *         "sql_rows": 1000000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CheckUsageAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["UrlTooLong"];
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
            /** @description The response. */
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
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
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
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP quarry_lag_blocks Newest block of the chain minus newest indexed block
                     *     # TYPE quarry_lag_blocks gauge
                     *     quarry_lag_blocks{chain="eth"} 0
                     */
                    "text/plain": components["schemas"]["GetMetricsAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            401: components["responses"]["BadKey"];
            403: components["responses"]["Forbidden"];
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
            /** @description The response. */
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
                     *         "summary": "Blocks, trades and prices of EVM chains over SQL and REST.",
                     *         "description": "Unknown parameters are ignored. Numbers may be strings, and booleans and addresses may be in any case; responses have addresses in lower case. An invalid value is rejected with a message that names it. Integers from 2^53 on are strings; times are unix seconds, except in SQL rows (ISO 8601).",
                     *         "license": {
                     *           "name": "Apache-2.0",
                     *           "identifier": "Apache-2.0"
                     *         }
                     *       },
                     *       "servers": [
                     *         {
                     *           "url": "/",
                     *           "description": "the service that serves this document"
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
                     *       "tags": [
                     *         {
                     *           "name": "Prices",
                     *           "description": "Current, past and all-time token prices."
                     *         },
                     *         {
                     *           "name": "Pools",
                     *           "description": "Pool balances and their value."
                     *         },
                     *         {
                     *           "name": "Wallets",
                     *           "description": "Trading profit of wallets."
                     *         },
                     *         {
                     *           "name": "SQL",
                     *           "description": "SQL queries over every table."
                     *         },
                     *         {
                     *           "name": "Records",
                     *           "description": "The top rows of a table for each group."
                     *         },
                     *         {
                     *           "name": "Search",
                     *           "description": "Tokens and pools by symbol, name or address."
                     *         },
                     *         {
                     *           "name": "TradingView",
                     *           "description": "A datafeed for charts, over the UDF protocol."
                     *         },
                     *         {
                     *           "name": "JSON-RPC",
                     *           "description": "Some of the endpoints over JSON-RPC 2.0."
                     *         },
                     *         {
                     *           "name": "Service",
                     *           "description": "Health, progress and metrics of the service."
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
                     *                 "description": "error message: what is wrong and what is allowed"
                     *               }
                     *             },
                     *             "required": [
                     *               "error"
                     *             ]
                     *           },
                     *           "RpcProblem": {
                     *             "type": "object",
                     *             "properties": {
                     *               "id": {
                     *                 "description": "id of the call; 1 if it has none, null if it cannot be determined",
                     *                 "type": [
                     *                   "string",
                     *                   "number",
                     *                   "null"
                     *                 ]
                     *               },
                     *               "jsonrpc": {
                     *                 "type": "string",
                     *                 "const": "2.0"
                     *               },
                     *               "error": {
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "code": {
                     *                     "type": "integer",
                     *                     "minimum": -9007199254740991,
                     *                     "maximum": 9007199254740991,
                     *                     "description": "HTTP status of the error"
                     *                   },
                     *                   "message": {
                     *                     "type": "string",
                     *                     "description": "error message: what is wrong and what is allowed"
                     *                   }
                     *                 },
                     *                 "required": [
                     *                   "code",
                     *                   "message"
                     *                 ]
                     *               }
                     *             },
                     *             "required": [
                     *               "id",
                     *               "jsonrpc",
                     *               "error"
                     *             ]
                     *           },
                     *           "UdfProblem": {
                     *             "type": "object",
                     *             "properties": {
                     *               "s": {
                     *                 "type": "string",
                     *                 "const": "error"
                     *               },
                     *               "errmsg": {
                     *                 "type": "string",
                     *                 "description": "what is wrong"
                     *               }
                     *             },
                     *             "required": [
                     *               "s",
                     *               "errmsg"
                     *             ]
                     *           },
                     *           "SqlMistake": {
                     *             "type": "object",
                     *             "properties": {
                     *               "line": {
                     *                 "type": "integer",
                     *                 "minimum": -9007199254740991,
                     *                 "maximum": 9007199254740991,
                     *                 "description": "from 1"
                     *               },
                     *               "column": {
                     *                 "type": "integer",
                     *                 "minimum": -9007199254740991,
                     *                 "maximum": 9007199254740991,
                     *                 "description": "from 1, in UTF-16 units"
                     *               },
                     *               "offset": {
                     *                 "type": "integer",
                     *                 "minimum": -9007199254740991,
                     *                 "maximum": 9007199254740991,
                     *                 "description": "position in the query, from 0, in UTF-16 units"
                     *               },
                     *               "length": {
                     *                 "type": "integer",
                     *                 "minimum": -9007199254740991,
                     *                 "maximum": 9007199254740991,
                     *                 "description": "length of the wrong part, in UTF-16 units; 0: the whole query, or its end"
                     *               },
                     *               "expected": {
                     *                 "description": "what was expected there; null if not applicable",
                     *                 "type": [
                     *                   "string",
                     *                   "null"
                     *                 ]
                     *               },
                     *               "found": {
                     *                 "description": "what was found there; null if not applicable",
                     *                 "type": [
                     *                   "string",
                     *                   "null"
                     *                 ]
                     *               },
                     *               "suggestion": {
                     *                 "description": "replacement; null if there is no similar name",
                     *                 "type": [
                     *                   "string",
                     *                   "null"
                     *                 ]
                     *               }
                     *             },
                     *             "required": [
                     *               "line",
                     *               "column",
                     *               "offset",
                     *               "length",
                     *               "expected",
                     *               "found",
                     *               "suggestion"
                     *             ]
                     *           }
                     *         },
                     *         "headers": {
                     *           "X-Request-Id": {
                     *             "description": "identifies the request in the service's log",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "X-First-Block": {
                     *             "description": "first indexed block: the response is complete from this block on and ignores earlier blocks",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "X-Indexed-Block": {
                     *             "description": "the response includes all blocks up to this one; absent if it does not depend on one chain's blocks",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "X-Indexed-Timestamp": {
                     *             "description": "time of block X-Indexed-Block, unix seconds",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "X-Indexed-Block-Hash": {
                     *             "description": "hash of block X-Indexed-Block",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "X-Commit": {
                     *             "description": "number of commits, rollbacks and repairs of the chain: responses with equal numbers reflect the same blocks",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "ETag": {
                     *             "description": "identifies the response: send it as If-None-Match to get 304 while nothing has changed",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "Cache-Control": {
                     *             "description": "no-cache: caches may keep the response, but must revalidate it; max-age: it is final; private: keys are required",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "Vary": {
                     *             "description": "request headers on which the response depends",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "X-Error-Code": {
                     *             "description": "kind of the error, a stable identifier for programs",
                     *             "schema": {
                     *               "type": "string",
                     *               "enum": [
                     *                 "bad-input",
                     *                 "bad-key",
                     *                 "forbidden",
                     *                 "not-found",
                     *                 "method-not-allowed",
                     *                 "not-acceptable",
                     *                 "not-json",
                     *                 "unknown-chain",
                     *                 "unsupported",
                     *                 "too-large",
                     *                 "memory",
                     *                 "timeout",
                     *                 "busy",
                     *                 "quota",
                     *                 "overloaded",
                     *                 "not-ready",
                     *                 "unavailable",
                     *                 "stale",
                     *                 "internal"
                     *               ]
                     *             }
                     *           },
                     *           "X-Sql-Error": {
                     *             "description": "for errors in a SQL query: JSON of the schema SqlMistake; otherwise absent",
                     *             "schema": {
                     *               "type": "string"
                     *             }
                     *           },
                     *           "Retry-After": {
                     *             "description": "seconds to wait before a retry",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "RateLimit-Limit": {
                     *             "description": "number of requests that the client may send at once; absent if its rate is not limited",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "RateLimit-Remaining": {
                     *             "description": "number of requests that the client may still send at once",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           },
                     *           "RateLimit-Reset": {
                     *             "description": "seconds until the client may again send RateLimit-Limit requests at once",
                     *             "schema": {
                     *               "type": "integer"
                     *             }
                     *           }
                     *         },
                     *         "responses": {
                     *           "BadInput": {
                     *             "description": "A parameter is missing or invalid, or the query is not allowed.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
                     *               },
                     *               "X-Sql-Error": {
                     *                 "$ref": "#/components/headers/X-Sql-Error"
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
                     *             "description": "The service requires an API key; it is missing, invalid or expired.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *           "Forbidden": {
                     *             "description": "The API key lacks the scope of this endpoint, or the Host or Origin of the request is not allowed.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *             "description": "The Accept header allows none of the available media types.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *             "description": "The URL is too long; send the parameters by POST if the endpoint offers it.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *             "description": "The body was not sent as application/json, or is compressed (Content-Encoding).",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *             "description": "A limit of the client is reached, or the request waited too long: send it again after the number of seconds in Retry-After.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
                     *               },
                     *               "Retry-After": {
                     *                 "$ref": "#/components/headers/Retry-After"
                     *               },
                     *               "RateLimit-Limit": {
                     *                 "$ref": "#/components/headers/RateLimit-Limit"
                     *               },
                     *               "RateLimit-Remaining": {
                     *                 "$ref": "#/components/headers/RateLimit-Remaining"
                     *               },
                     *               "RateLimit-Reset": {
                     *                 "$ref": "#/components/headers/RateLimit-Reset"
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
                     *             "description": "Internal error of the service; the message contains the request id.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *             "description": "The service is overloaded, not ready or stopping, or its newest block is older than max_lag.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
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
                     *           "NotModified": {
                     *             "description": "The response with the ETag in If-None-Match is still the newest one.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-First-Block": {
                     *                 "$ref": "#/components/headers/X-First-Block"
                     *               },
                     *               "X-Indexed-Block": {
                     *                 "$ref": "#/components/headers/X-Indexed-Block"
                     *               },
                     *               "X-Indexed-Timestamp": {
                     *                 "$ref": "#/components/headers/X-Indexed-Timestamp"
                     *               },
                     *               "X-Indexed-Block-Hash": {
                     *                 "$ref": "#/components/headers/X-Indexed-Block-Hash"
                     *               },
                     *               "X-Commit": {
                     *                 "$ref": "#/components/headers/X-Commit"
                     *               },
                     *               "ETag": {
                     *                 "$ref": "#/components/headers/ETag"
                     *               },
                     *               "Cache-Control": {
                     *                 "$ref": "#/components/headers/Cache-Control"
                     *               },
                     *               "Vary": {
                     *                 "$ref": "#/components/headers/Vary"
                     *               }
                     *             }
                     *           },
                     *           "RpcProblem": {
                     *             "description": "The call failed; for a single call, the HTTP status is the error's code.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/RpcProblem"
                     *                 }
                     *               }
                     *             }
                     *           },
                     *           "UdfProblem": {
                     *             "description": "The request failed; the HTTP status is the same as for other endpoints.",
                     *             "headers": {
                     *               "X-Request-Id": {
                     *                 "$ref": "#/components/headers/X-Request-Id"
                     *               },
                     *               "X-Error-Code": {
                     *                 "$ref": "#/components/headers/X-Error-Code"
                     *               },
                     *               "Retry-After": {
                     *                 "$ref": "#/components/headers/Retry-After"
                     *               }
                     *             },
                     *             "content": {
                     *               "application/json": {
                     *                 "schema": {
                     *                   "$ref": "#/components/schemas/UdfProblem"
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
                     *             "description": "or the field `key` of a JSON body"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetOpenApiAnswer"];
                };
            };
            400: components["responses"]["BadInput"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["UrlTooLong"];
            500: components["responses"]["Fault"];
            503: components["responses"]["NotReady"];
        };
    };
}
