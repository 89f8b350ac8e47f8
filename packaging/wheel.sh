#!/usr/bin/env bash
# Builds the wheel larmor-engine. First argument: the folder that receives it. Others: settings for CMake.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$1
shift
packaging/pocketfft.sh
settings=()
for setting in "$@"; do
  setting=${setting#-D}
  settings+=("--config-settings=cmake.define.${setting%%=*}=${setting#*=}")
done
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
export PATH=$PWD/.venv/bin:$PATH
# The archives use the same folder, so that each source is compiled once.
python -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --config-settings=build-dir=build/package "${settings[@]}" -w "$raw"
mkdir -p "$packages"
# The wheel needs only the library of C. This gives it the tag of the oldest glibc that it runs with. MPI comes from the
# machine on which ranks run.
python -m auditwheel --quiet repair --plat "manylinux_2_36_$(uname -m)" --exclude 'libmpi.so.*' \
  -w "$packages" "$raw"/larmor_engine-*.whl
ls -l "$packages"/larmor_engine-*.whl
