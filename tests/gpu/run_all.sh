#!/usr/bin/env bash
# Runs every test on a machine with a GPU: those of CUDA alone, plain and under compute-sanitizer, and
# the physics suite of the spin engine on the GPU. Ends with a table; logs lie in a folder.
#   tests/gpu/run_all.sh [folder of gpu_tests and physics_tests] [folder for logs]
set -uo pipefail
cd "$(dirname "$0")/../.."
programs=${1:-build/release}
logs=${2:-$(mktemp -d)}
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
table=""

run() {
  local name=$1
  shift
  local start=$SECONDS
  if "$@" >"$logs/${name//[ ,:]/_}.log" 2>&1; then result=passed; else result=FAILED; fi
  [ $result = passed ] || tail -n 15 "$logs/${name//[ ,:]/_}.log"
  table+=$(printf '%-36s %-8s %4d s' "$name" "$result" $((SECONDS - start)))$'\n'
}

skip() { table+=$(printf '%-36s skipped: %s' "$1" "$2")$'\n'; }

# Small systems wait for the GPU most of the time: many processes share it.
sharded() {
  local shards=12 status=0 pids=()
  for ((shard = 0; shard < shards; ++shard)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard "$@" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=1; done
  return $status
}

# Minimisers and paths work on the CPU.
on_gpu='-ElasticBand.*:Path*:Hysteresis.*:Minimisers*:DomainWall.*:error_bars*'
in_sigmas='*ExactAverage*:*HeatBathDynamics.FreeSpins*:*HeatBathDynamics.UnequalMoments*:CubicHeisenberg.HeatBath*:*InPrecision*'

# What measures time or free memory, or breaks its GPU.
alone='*DoesNotWait*:*SlowWriter*:GpuErrors.*'

run "gpu_tests" sharded "$programs/gpu_tests" --gtest_brief=1 "--gtest_filter=-$alone"
run "gpu_tests, one at a time" "$programs/gpu_tests" --gtest_brief=1 "--gtest_filter=$alone"
export LARMOR_TEST_BACKEND=cuda
run "physics, double" sharded "$programs/physics_tests" --gtest_brief=1 "--gtest_filter=$on_gpu"
for precision in single mixed; do
  export LARMOR_TEST_PRECISION=$precision
  run "physics, $precision" sharded "$programs/physics_tests" --gtest_brief=1 \
    "--gtest_filter=$in_sigmas"
done
unset LARMOR_TEST_PRECISION
if [ -x "$programs/larmor" ] && python3 -c 'import h5py, pytest' 2>/dev/null; then
  export LARMOR=$programs/larmor LARMOR_MADE_KERNELS=always
  run "kill and resume" python3 -m pytest -q -p no:cacheprovider \
    tests/reliability/test_kill_and_resume.py tests/reliability/test_gpu.py
  unset LARMOR_MADE_KERNELS
else
  skip "kill and resume" "needs $programs/larmor, h5py and pytest"
fi
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck initcheck; do
    run "gpu_tests, $tool" sharded compute-sanitizer --tool "$tool" --error-exitcode 1 \
      "$programs/gpu_tests" --gtest_brief=1 "--gtest_filter=-$alone"
    run "physics, $tool" sharded compute-sanitizer --tool "$tool" --error-exitcode 1 \
      "$programs/physics_tests" --gtest_brief=1 \
      --gtest_filter='*EveryTerm.FieldIs*:*InPrecision*:*EveryIntegrator.Larmor*:Sampler.*'
  done
else
  skip "memcheck, racecheck, initcheck" "needs compute-sanitizer"
fi
printf '\n%s' "$table"
! grep -q FAILED <<<"$table"
