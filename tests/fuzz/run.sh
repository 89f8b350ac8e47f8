#!/usr/bin/env bash
# Fuzzes readers of files, one on each processor.   tests/fuzz/run.sh SECONDS [READER...]
# SECONDS is the time for each reader. Files with a bad end are kept in build/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=$1
shift
readers=("$@")
if ((${#readers[@]} == 0)); then
  mapfile -t readers < <(ls tests/fuzz/corpus)
fi

memory=/dev/shm
[ -d "$memory" ] || memory=/tmp
TMPDIR=$(mktemp -d -p "$memory" larmor-fuzz-run-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
mkdir -p build/fuzz/found
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

fuzz() {
  local reader=$1 seconds=$2 log=build/fuzz/$1.log
  local corpora=("build/fuzz/corpus/$reader" "tests/fuzz/corpus/$reader")
  [ "$reader" != study ] || corpora+=(cli/starters)
  mkdir -p "${corpora[0]}"
  LARMOR_FUZZ_READER=$reader nice -n 15 build/test/larmor_fuzz "${corpora[@]}" -max_total_time="$seconds" -max_len=4096 \
    -timeout=20 -rss_limit_mb=4096 -malloc_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$reader-" >"$log" 2>&1 || {
    echo "$reader: a bad end, see $log"
    return 1
  }
  echo "$reader: clean after $(awk '/number_of_executed_units/ {print $2}' "$log") files"
}
export -f fuzz
printf '%s\n' "${readers[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$1" "$2"' _ {} "$seconds"
