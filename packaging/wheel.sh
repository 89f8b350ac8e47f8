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
  settings+=(-C "cmake.define.${setting%%=*}=${setting#*=}")
done
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
# The archives use the same folder, so that each source is compiled once.
.venv/bin/python -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  -C build-dir=build/package "${settings[@]}" -w "$raw"
mkdir -p "$packages"
# MPI comes from the machine on which ranks run.
PATH=$PWD/.venv/bin:$PATH .venv/bin/auditwheel repair --plat "manylinux_2_36_$(uname -m)" \
  --exclude 'libmpi.so.*' -w "$packages" "$raw"/larmor_engine-*.whl
ls -l "$packages"/larmor_engine-*.whl
