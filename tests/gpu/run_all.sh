#!/usr/bin/env bash
# Runs every test on a machine with a GPU and ends with a table of results. Logs go to a folder.
#   tests/gpu/run_all.sh [folder of the programs] [folder for logs] [parts, all of them if none is named]
# The programs: gpu_tests, physics_tests, larmor, and in its folder larmor-bench, liblarmor_mpi.so,
# liblarmor_faults.so and the module of Python, _engine*.so.
# The parts:
# - cuda: tests that run only CUDA;
# - physics: the tests of the spin engine on the GPU;
# - precisions: those tests of the spin engine that hold in single and mixed precision;
# - ranks: several ranks, which share GPUs if there are fewer GPUs than ranks;
# - resume: kill and resume;
# - studies: scans, correlations of pairs, paths, and simulations in Python;
# - racecheck, memcheck, initcheck: tools of compute-sanitizer;
# - mutants, only if it is named: each mutant breaks code that only a GPU runs, and a test must notice. The
# folder needs the programs of `tools/mutants.py --gpu --build-only`.
# KERNELS_OF_RANKS=never or =always runs one half of ranks.
set -uo pipefail
cd "$(dirname "$0")/../.."
programs=${1:-build/release}
logs=${2:-$(mktemp -d)}
parts=" ${*:3} "
all_parts="cuda physics precisions ranks resume studies racecheck memcheck initcheck"
[ "$parts" != "  " ] || parts=" $all_parts "
for part in $parts; do
  [[ " $all_parts mutants " == *" $part "* ]] && continue
  echo "run_all.sh: there is no part $part; there are: $all_parts mutants" >&2
  exit 2
done
gpus=$(nvidia-smi --list-gpus 2>/dev/null | grep -c ^GPU)
if [ "$gpus" = 0 ]; then
  echo "run_all.sh: nvidia-smi lists no GPU; ctest runs what needs none" >&2
  exit 2
fi
mkdir -p "$logs" && : >"$logs/table.txt" || exit 2
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
table=$logs/table.txt
status=0
# If the run is interrupted, prints the table, too, and ends all child processes.
trap 'trap - EXIT TERM; echo; cat "$table"; kill 0' INT TERM
trap 'echo; cat "$table"' EXIT

wanted() { [[ $parts == *" $1 "* ]]; }

run() {
  local name=$1 start=$SECONDS result
  shift
  if "$@" >"$logs/${name//[ ,:]/_}.log" 2>&1; then result=passed; else result=FAILED; fi
  [ $result = passed ] || tail -n 15 "$logs/${name//[ ,:]/_}.log"
  printf '%-36s %-8s %4d s\n' "$name" "$result" $((SECONDS - start)) | tee -a "$table"
  [ $result = passed ] || status=1
  return $status
}

# Tests that are slow because of a few cases run at the same time as other tests.
started=()
run_beside() {
  run "$@" &
  started+=($!)
}
wait_for_all() {
  for process in "${started[@]}"; do wait "$process" || status=1; done
  started=()
}

skip() { printf '%-36s skipped: %s\n' "$1" "$2" >>"$table"; }

# Small systems mostly wait for the GPU, so several processes share it. When a process ends, another
# one starts with the next share of the tests. If a test sees no GPU, it skips, which counts as a
# failure here.
cores=$(env -u OMP_NUM_THREADS nproc)
jobs=$((cores > 15 ? 14 * gpus : (cores + 1) / 2))
export OMP_NUM_THREADS=2
# All ranks run on this machine: no ssh, and no access to memory of other processes, which
# containers forbid.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=sh \
  OMPI_MCA_btl_vader_single_copy_mechanism=none
in_blocks() {
  local portions=$1
  shift
  export GTEST_TOTAL_SHARDS=$portions
  for ((portion = 0; portion < portions; ++portion)); do
    echo "GTEST_SHARD_INDEX=$portion CUDA_VISIBLE_DEVICES=$((portion % gpus))"
  done | xargs -P "$jobs" -L 1 bash -c 'env "${@: -2}" "${@:1:$#-2}"' portion "$@" |
    awk '{ print } /no GPU here/ { blind = 1 } END { exit blind }'
  local result=$?
  unset GTEST_TOTAL_SHARDS
  return $result
}

# Each of these tests starts several processes on every GPU and gives them seconds to end. If too
# many tests run at once, they take longer than one after the other.
processes=$((cores < 32 ? 4 : cores / 8))
tests_each=2
pytest_in_parallel() {
  python3 -m pytest --collect-only -q -p no:cacheprovider "$@" | grep :: |
    xargs -d '\n' -P "$processes" -n "$tests_each" python3 -m pytest -q -p no:cacheprovider
}

# Rates of escape are computed on the host, so these tests do not run on the GPU.
on_gpu='-*Expansion*:SparseFactorisation*:LowestModes*:DeflatedFactorisation*:HarmonicRate*:ZeroModes*:StationaryState*:LangerFactor*:*StonerWohlfarthGrain*:error_bars*'
in_sigmas='*ExactAverage*:*HeatBathDynamics*.FreeSpins*:*HeatBathDynamics.UnequalMoments*:CubicHeisenberg*.HeatBath*:*InPrecision*'

# Tests that measure time or free memory, or break their GPU.
alone='*DoesNotWait*:*SlowWriter*:GpuErrors.*'
# This test compares a forecast with the time taken, so no other test may run meanwhile.
forecast=tests/reliability/test_convergence_told.py::test_the_bound_holds

# These tests take minutes each. Smaller cases, or cases of C instead of C^2, have their kernels.
slow_in_racecheck='LargeAmplitudesOnGpu.*ManyOnTheirWay:LargeAmplitudesOnGpu.*ManyRuns:LargeAmplitudesOnGpu.ByFft*:*4100_sites*:*5000_sites*:*1800_sites*:*700_sites*:*517_sites_64*:*SeveralTiles*517_sites*:*PairBins.HalfOfThePairs*:*PairBins.ValuesOfManyPanels*'
slow_in_racecheck+=":*PairBins*_squared"

# Tests whose ranks are threads of one process. If several threads launch kernels, the sanitizer
# loses track of kernels or does not end. Studies with ranks that are processes are checked below.
threads_of_ranks='*SharedLatticeOnGpu*:*SharedGridOnGpu*:*SharedClustersOnGpu*'

# With JIT kernels, racecheck takes up to 12 GB of host memory per process. Half of the memory remains
# for tests that run at the same time.
jit='JitKernels*:*/JitKernels*'
jit_jobs=$(awk '/^MemTotal/ { n = int($2 / 24e6); print (n > 1 ? n : 1) }' /proc/meminfo)

has_ranks() {
  [ -x "$programs/larmor" ] && [ -e "$programs/liblarmor_mpi.so" ] && command -v mpirun >/dev/null
}
runs_studies() { [ -x "$programs/larmor" ] && python3 -c 'import h5py, pytest' 2>/dev/null; }

# Some shares of the tests need no GPU. Racecheck leaves out the kernel unite_tiles, whose threads
# climb trees in shared memory while other threads change the trees. These accesses are volatile or
# atomic, and the result does not depend on their order.
choose_sanitizer() {
  sanitizer=(compute-sanitizer --tool "$1" --error-exitcode 1 --require-cuda-init no)
  [ "$1" != racecheck ] || sanitizer+=(--kernel-name-exclude kns=unite_tiles)
}
# @param tool, filter
under_sanitizer() {
  local portions=56
  choose_sanitizer "$1"
  if [ "$1" = racecheck ]; then
    # Racecheck takes milliseconds per launch, and some tests launch ten thousand kernels. Therefore
    # it checks only the first kernels of each test, which runs in its own process.
    portions=$("$programs/gpu_tests" --gtest_list_tests "--gtest_filter=$2" | grep -c '^  ')
    sanitizer+=(--launch-count 500)
  fi
  in_blocks "$portions" "${sanitizer[@]}" "$programs/gpu_tests" "--gtest_filter=$2"
}
# A test of all states of 40 spins takes minutes under a sanitizer.
many_states='EnumerationOnGpu.SeveralLaunches*'
everything_else="$alone:$threads_of_ranks:$many_states"

if wanted cuda; then
  run "gpu_tests" in_blocks 56 "$programs/gpu_tests" "--gtest_filter=-$alone"
  run "gpu_tests, one at a time" "$programs/gpu_tests" --gtest_brief=1 "--gtest_filter=$alone"
fi
if wanted studies && runs_studies; then
  LARMOR=$programs/larmor run "forecast of relaxing" python3 -m pytest -q -p no:cacheprovider "$forecast"
fi
# Only a few processes with JIT kernels fit into memory. They run at the same time as the rest.
behind=
if wanted racecheck && command -v compute-sanitizer >/dev/null; then
  jobs=$jit_jobs run "JIT kernels, racecheck" under_sanitizer racecheck "$jit-$everything_else" &
  behind=$!
fi
export LARMOR_TEST_BACKEND=cuda
if wanted physics; then
  run_beside "physics, double" in_blocks 56 "$programs/physics_tests" "--gtest_filter=$on_gpu"
fi
if wanted precisions; then
  for precision in single mixed; do
    LARMOR_TEST_PRECISION=$precision jobs=$(((jobs + 2) / 3)) run_beside "physics, $precision" \
      in_blocks 56 "$programs/physics_tests" "--gtest_filter=$in_sigmas"
  done
fi
wait_for_all
if wanted ranks; then
  if has_ranks && runs_studies; then
    for kernels in ${KERNELS_OF_RANKS:-never always}; do
      LARMOR_TEST_DEPTH=1 LARMOR=$programs/larmor LARMOR_JIT=$kernels run "ranks, JIT kernels $kernels" \
        pytest_in_parallel tests/reliability/test_ranks.py
    done
  else
    skip "ranks" "needs $programs/liblarmor_mpi.so, mpirun, h5py and pytest"
  fi
fi
if wanted resume; then
  if runs_studies; then
    # Each test of `verify` compiles hundreds of kernels and waits for the GPU a million times.
    LARMOR=$programs/larmor processes=3 tests_each=1 run_beside "verify" pytest_in_parallel \
      tests/reliability/test_gpu.py -k verify
    LARMOR=$programs/larmor LARMOR_JIT=always run "kill and resume" pytest_in_parallel \
      tests/reliability/test_kill_and_resume.py tests/reliability/test_resume_arithmetic.py \
      tests/reliability/test_cones.py tests/reliability/test_landscape_resumes.py tests/reliability/test_atom_paths.py
    if [ -x "$programs/larmor-bench" ]; then
      LARMOR=$programs/larmor LARMOR_JIT=always run "programs that share a GPU" \
        pytest_in_parallel tests/reliability/test_gpu.py -k "not verify"
    else
      skip "programs that share a GPU" "needs $programs/larmor-bench"
    fi
    wait_for_all
  else
    skip "kill and resume" "needs $programs/larmor, h5py and pytest"
  fi
fi
if wanted studies; then
  if runs_studies; then
    LARMOR=$programs/larmor run "scans, correlations, atoms" pytest_in_parallel \
      tests/reliability/test_scans.py tests/reliability/test_pair_correlations.py \
      tests/reliability/test_pair_correlations_in_time.py \
      tests/reliability/test_sampled_structure_factors.py tests/reliability/test_atoms.py \
      tests/reliability/test_atoms_relaxed_and_measured.py tests/reliability/test_evaluate.py \
      tests/reliability/test_transfer_matrix.py
    LARMOR=$programs/larmor run "paths, loops, textures" pytest_in_parallel \
      tests/reliability/test_paths_converge.py tests/reliability/test_path_ends.py \
      tests/reliability/test_lifetimes.py tests/reliability/test_textures.py \
      tests/reliability/test_convergence_told.py --deselect "$forecast"
    if ls "$programs"/_engine*.so >/dev/null 2>&1; then
      LARMOR=$programs/larmor LARMOR_JIT=always run "simulations in Python" \
        pytest_in_parallel tests/reliability/test_engine_module.py
    else
      skip "simulations in Python" "needs $programs/_engine*.so"
    fi
    if python3 -c 'import torch' 2>/dev/null || python3 -c 'import cupy' 2>/dev/null; then
      LARMOR=$programs/larmor run "views in PyTorch or CuPy" python3 tests/gpu/python_dlpack.py
    else
      skip "views in PyTorch or CuPy" "needs PyTorch or CuPy"
    fi
  else
    skip "scans, correlations, atoms, paths, Python" "needs $programs/larmor, h5py and pytest"
  fi
fi
for tool in racecheck memcheck initcheck; do
  wanted $tool || continue
  if ! command -v compute-sanitizer >/dev/null; then
    skip "$tool" "needs compute-sanitizer"
    continue
  fi
  left_out=$everything_else
  [ $tool != racecheck ] || left_out+=":$slow_in_racecheck:$jit"
  choose_sanitizer "$tool"
  if has_ranks; then
    for shared in lattice grid; do
      LARMOR_NCCL=never LARMOR_JIT=never run_beside "ranks of a $shared, $tool" timeout 900 \
        mpirun --oversubscribe --bind-to none -n 2 "${sanitizer[@]}" "$programs/larmor" run \
        "tests/gpu/shared_$shared.toml" --backend cuda --force -o "$logs/shared_$shared.h5"
    done
  else
    skip "ranks, $tool" "needs $programs/liblarmor_mpi.so and mpirun"
  fi
  run "gpu_tests, $tool" under_sanitizer "$tool" "-$left_out"
  [ $tool != memcheck ] || run "physics, memcheck" in_blocks 28 "${sanitizer[@]}" \
    "$programs/physics_tests" '--gtest_filter=*EveryTerm.FieldIs*:*EveryIntegrator.Larmor*'
  wait_for_all
done
[ -z "$behind" ] || wait "$behind" || status=1
if wanted mutants; then
  # Every mutant compiles its kernels, which no later run needs.
  XDG_CACHE_HOME=$(mktemp -d) run "mutants" python3 tools/mutants.py --gpu --run "$programs" --jobs "$jobs"
fi
exit $status
