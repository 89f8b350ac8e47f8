#!/usr/bin/env bash
# Runs every GPU test on a machine with a GPU, plain and under compute-sanitizer; ends with a table.
#   tests/gpu/run_all.sh [path of gpu_tests]
set -uo pipefail
cd "$(dirname "$0")/../.."
tests=${1:-build/release/gpu_tests}
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
table=""

run() {
  local name=$1
  shift
  local start=$SECONDS
  if "$@"; then result=passed; else result=FAILED; fi
  table+=$(printf '%-28s %-8s %4d s' "$name" "$result" $((SECONDS - start)))$'\n'
}

run "gpu_tests" "$tests" --gtest_brief=1
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck initcheck; do
    run "gpu_tests, $tool" compute-sanitizer --tool "$tool" --error-exitcode 1 "$tests" --gtest_brief=1
  done
fi
printf '\n%s' "$table"
! grep -q FAILED <<<"$table"
