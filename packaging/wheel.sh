#!/usr/bin/env bash
# Builds wheels of larmor-engine. First argument: the folder that receives them. Others: settings for CMake.
#
# Each wheel has the program, and at most one module for Python, since a module contains the engine once more. There is
# a wheel for the version of Python in .venv, one for all versions from 3.12 on, and one without a module for others.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$1
shift
packaging/pocketfft.sh
packaging/python_headers.sh
packaging/hdf5.sh
settings=("--config-settings=cmake.define.LARMOR_STABLE_PYTHON=$PWD/build/python3.13"
  "--config-settings=cmake.define.LARMOR_MODULE_HDF5=$PWD/build/hdf5/lib")
for setting in "$@"; do
  setting=${setting#-D}
  settings+=("--config-settings=cmake.define.${setting%%=*}=${setting#*=}")
done
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export PATH=$PWD/.venv/bin:$PATH
# The archives use the same folder, so that each source is compiled once.
python -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --config-settings=build-dir=build/package "${settings[@]}" -w "$place"
packaging/split_wheel.sh "$place"/larmor_engine-*.whl "$packages"
ls -l "$packages"/larmor_engine-*.whl
