# Sourced by scripts that run tests. Puts temporary files into memory if the machine has 8 GB of it to spare:
# tests write and remove many thousands of small files, which takes half as long there.
if [ "$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -n 1)" -ge 8 ] 2>/dev/null; then
  TMPDIR="$(mktemp -d /dev/shm/quarry-tests-XXXXXX)"
  # The PostgreSQL server of the benchmarks runs as another user, and has to reach its folder.
  chmod 711 "$TMPDIR"
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
fi
