#!/usr/bin/env bash
# Tests the cluster of deploy/cluster on this machine: indexes two chains while it kills each node in turn,
# and compares every table of every replica with the same table on a single server. Needs Docker with Compose
# 2.23 or later.
#
# Usage: RPC_1=URL RPC_2=URL deploy/verify.sh
#   RPC_1, RPC_2      nodes of two chains, as containers reach them
#   CHAIN_1, CHAIN_2  the chains; default: eth, base
#   BLOCKS            how many blocks to index of each chain; default: 2000
#   KEEP=1            leaves the containers and volumes in place
set -euo pipefail
cd "$(dirname "$0")/cluster"

: "${RPC_1:?is missing: the URL of a node of the first chain}"
: "${RPC_2:?is missing: the URL of a node of the second chain}"
export RPC_1 RPC_2 CHAIN_1="${CHAIN_1:-eth}" CHAIN_2="${CHAIN_2:-base}" API_PORT="${API_PORT:-18080}"
export CLICKHOUSE_PASSWORD="${CLICKHOUSE_PASSWORD:-verify}"
# Disables caches, so that each answer comes from the servers.
export API_CACHE_MEMORY=0 API_SERVING_MEMORY=0
export COMPOSE_PROJECT_NAME=quarry-verify
BLOCKS="${BLOCKS:-2000}"
NODES=(shard1-replica1 shard1-replica2 shard2-replica1 shard2-replica2 keeper)
# Distance from the head, in blocks, that no reorg reaches.
DEPTH="${DEPTH:-200}"
DOWN_SECONDS="${DOWN_SECONDS:-20}"
logs="$(mktemp -d)"

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }

fail() {
  say "FAILED: $*"
  say "Logs are in $logs."
  exit 1
}

clean_up() {
  local running
  running="$(jobs -p)"
  # One process id per line.
  # shellcheck disable=SC2086
  [ -z "$running" ] || kill $running 2>/dev/null || true
  if [ "${KEEP:-}" != 1 ]; then docker compose --profile verify down --volumes --timeout 5 >/dev/null 2>&1 || true; fi
}
trap clean_up EXIT

on() { docker compose exec -T "$1" clickhouse-client --user quarry --password "$CLICKHOUSE_PASSWORD" --query "$2"; }

head_of() {
  local hex
  hex="$(curl --silent --show-error --fail --header 'content-type: application/json' \
    --data '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}' "$1" |
    sed -n 's/.*"result" *: *"\(0x[0-9a-f]*\)".*/\1/p')"
  [ -n "$hex" ] || fail "no block number from the node of the $2 chain"
  printf '%d' "$hex"
}

# Indexes blocks FROM to TO. A process that starts while a replica is missing fails, and is started again.
index() {
  local indexer="$1" chain="$2" from="$3" to="$4"
  shift 4
  for _ in $(seq 100); do
    if docker compose run --rm -T "${ENVIRONMENT[@]}" "$indexer" \
      index --chain "$chain" --from "$from" --to "$to" "$@"; then return; fi
    sleep 3
  done
  return 1
}

# Prints the number of rows and a hash of each table that holds blocks, as stored on one server.
hashes() {
  local node="$1" chain="$2" table
  for table in $(on "$node" "SELECT name FROM system.tables WHERE database = 'quarry' AND startsWith(name, '${chain}_')
    AND NOT match(name, '_(commits|seals|price_extremes|token_months|first_trades)\$') ORDER BY name"); do
    printf '%s ' "$table"
    on "$node" "SELECT count(), hex(groupBitXor(sipHash64(formatRow('RowBinary', *)))) FROM quarry.$table"
  done
}

answers() {
  curl --silent --output /dev/null --write-out '%{http_code}' --max-time 20 --header 'content-type: application/json' \
    --data "{\"query\":\"SELECT COUNT(*) AS n FROM $1_blocks\"}" "http://127.0.0.1:$API_PORT/v1/sql"
}

say "Building the image and starting two shards of two replicas, a Keeper and a single server."
docker compose --profile verify build --quiet indexer-1
docker compose --profile verify up --detach --wait "${NODES[@]}" alone

from_1=$(($(head_of "$RPC_1" first) - DEPTH - BLOCKS)) && to_1=$((from_1 + BLOCKS - 1))
from_2=$(($(head_of "$RPC_2" second) - DEPTH - BLOCKS)) && to_2=$((from_2 + BLOCKS - 1))
ENVIRONMENT=()
say "Indexing $CHAIN_1 blocks $from_1 to $to_1 and $CHAIN_2 blocks $from_2 to $to_2."
index indexer-1 "$CHAIN_1" "$from_1" "$to_1" --cluster quarry >"$logs/indexer-1" 2>&1 &
first=$!
index indexer-2 "$CHAIN_2" "$from_2" "$to_2" --cluster quarry >"$logs/indexer-2" 2>&1 &
second=$!

say "Starting the API once both chains have blocks."
for _ in $(seq 60); do
  # The API exits if a server has no database yet. It also finds chains that are indexed later.
  docker compose up --detach api >"$logs/api" 2>&1 || true
  sleep 5
  if [ "$(answers "$CHAIN_1")" = 200 ] && [ "$(answers "$CHAIN_2")" = 200 ]; then break; fi
done
[ "$(answers "$CHAIN_1")" = 200 ] || fail "the API does not answer for $CHAIN_1"
[ "$(answers "$CHAIN_2")" = 200 ] || fail "the API does not answer for $CHAIN_2"

# Queries each chain once a second.
require_answers() {
  local until_second=$((SECONDS + $2)) chain status
  while [ "$SECONDS" -lt "$until_second" ]; do
    for chain in "$CHAIN_1" "$CHAIN_2"; do
      status="$(answers "$chain")"
      [ "$status" = 200 ] || fail "a query of $chain got $status while $1 was down"
    done
    sleep 1
  done
}

for node in "${NODES[@]}"; do
  kill -0 "$first" 2>/dev/null || fail "the blocks of $CHAIN_1 were indexed before $node was killed: raise BLOCKS"
  kill -0 "$second" 2>/dev/null || fail "the blocks of $CHAIN_2 were indexed before $node was killed: raise BLOCKS"
  say "Killing $node for $DOWN_SECONDS s."
  docker compose kill --signal KILL "$node" >/dev/null 2>&1
  require_answers "$node" "$DOWN_SECONDS"
  docker compose up --detach --wait "$node" >/dev/null 2>&1
  sleep "$DOWN_SECONDS"
done

say "Waiting for the end of indexing."
wait "$first" || fail "the indexer of $CHAIN_1 gave up"
wait "$second" || fail "the indexer of $CHAIN_2 gave up"

say "Indexing the same blocks into a single server."
on alone "CREATE DATABASE IF NOT EXISTS quarry"
ENVIRONMENT=(--env "QUARRY_CLICKHOUSE=http://quarry:$CLICKHOUSE_PASSWORD@alone:8123/quarry")
index indexer-1 "$CHAIN_1" "$from_1" "$to_1" >"$logs/alone-1" 2>&1 || fail "cannot index $CHAIN_1 into a single server"
index indexer-2 "$CHAIN_2" "$from_2" "$to_2" >"$logs/alone-2" 2>&1 || fail "cannot index $CHAIN_2 into a single server"

for shard in 1 2; do
  chain="$CHAIN_1"
  if [ "$shard" = 2 ]; then chain="$CHAIN_2"; fi
  hashes alone "$chain" >"$logs/hashes-alone-$shard"
  [ -s "$logs/hashes-alone-$shard" ] || fail "no table of $chain to compare"
  for replica in 1 2; do
    hashes "shard$shard-replica$replica" "$chain" >"$logs/hashes-$shard-$replica"
    diff "$logs/hashes-alone-$shard" "$logs/hashes-$shard-$replica" ||
      fail "replica $replica of shard $shard has other rows than a single server"
  done
  say "All replicas of shard $shard have the rows of a single server: $(wc -l <"$logs/hashes-alone-$shard") tables."
done
say "PASSED"
