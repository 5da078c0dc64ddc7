#!/usr/bin/env bash
# The hardest tests, for about an hour on two cores: see docs/testing.md.
#   scripts/long-run.sh [seeds] [kills] [first seed]
set -uo pipefail
cd "$(dirname "$0")/.."

seeds="${1:-1000}"
kills="${2:-200}"
first="${3:-1}"
half=$(((seeds + 1) / 2))
# On disk, not in memory, because the logs are read after the run.
logs="$(mktemp -d)"
# shellcheck source=use-memory.sh
source scripts/use-memory.sh

# Arguments: a name, then the command with its environment.
run() {
  local name="$1"
  shift
  local began=$SECONDS
  if env NO_COLOR=1 "$@" >"$logs/$name.log" 2>&1; then
    echo "passed  $name  $((SECONDS - began)) s"
  else
    echo "FAILED  $name  $((SECONDS - began)) s: $logs/$name.log"
    grep -aE "Error: seed|^seed [0-9]+|Again: " "$logs/$name.log" | cut -c1-200
    return 1
  fi
}

status=0
simulation=(npx vitest run --maxWorkers=1 test/indexing/simulation.test.ts)
run simulation-1 QUARRY_FIRST_SEED="$first" QUARRY_SEEDS="$half" "${simulation[@]}" &
one=$!
if [ "$seeds" -gt 1 ]; then
  run simulation-2 QUARRY_FIRST_SEED="$((first + half))" QUARRY_SEEDS="$((seeds - half))" "${simulation[@]}" || status=1
fi
wait "$one" || status=1
run kills QUARRY_KILLS="$kills" QUARRY_CUTS="$((seeds / 2))" \
  npx vitest run test/indexing/kill.test.ts test/indexing/resume.test.ts test/indexing/cuts.test.ts \
  src/storage/kill.test.ts test/upgrade/interrupted.test.ts || status=1
run following QUARRY_KILLS="$kills" npx vitest run test/serving/following.long.test.ts || status=1
run streams QUARRY_FIRST_SEED="$first" QUARRY_SEEDS="$((seeds / 50 + 1))" \
  npx vitest run --maxWorkers=1 test/streams/killed-servers.test.ts test/streams/killed-servers.long.test.ts || status=1
run questions QUARRY_QUESTIONS="$((seeds * 20))" QUARRY_FIRST_SEED="$first" \
  npx vitest run test/serving/same-answers.test.ts || status=1
run requests QUARRY_REQUESTS="$((seeds * 100))" QUARRY_FIRST_SEED="$first" \
  npx vitest run test/attacks/generated-requests.test.ts || status=1
run prices QUARRY_PRICE_RUNS="$kills" npx vitest run src/pricing/price-book.property.test.ts || status=1
run faults QUARRY_FAULT_RUNS="$((kills / 4 + 1))" \
  npx vitest run test/indexing/faults.test.ts test/indexing/faults-alone.long.test.ts || status=1
run server-faults QUARRY_FAULT_ROUNDS="$((kills / 20 + 1))" QUARRY_FIRST_SEED="$first" npx vitest run \
  test/indexing/server/server-faults.test.ts test/indexing/server/replica-faults.test.ts || status=1
exit "$status"
