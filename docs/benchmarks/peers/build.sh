#!/usr/bin/env bash
# Gets UppASD and Vampire from their public repositories and builds them.   build.sh FOLDER [cuda]
# Needs git, CMake, gfortran, g++, LAPACK, and an MPI compiler for Vampire on several cores; with `cuda`
# UppASD's CUDA build as well, for which nvcc is needed and a GPU, whose kind it looks up.
set -euo pipefail
folder=${1:?"build.sh FOLDER [cuda]"}
uppasd=d8d6663
vampire=e38fe604
cores=$(nproc)
mkdir -p "$folder"
cd "$folder"

get() {
  [ -d "$2" ] || git clone "$1" "$2"
  git -C "$2" checkout -q "$3"
}

get https://github.com/UppASD/UppASD.git UppASD $uppasd
cmake -S UppASD -B UppASD/build
cmake --build UppASD/build -j "$cores"

get https://github.com/richard-evans/vampire.git vampire $vampire
make -C vampire -j "$cores" serial
make -C vampire -j "$cores" parallel

if [ "${2:-}" = cuda ]; then
  get https://github.com/UppASD/UppASD.git UppASD-cuda $uppasd
  cmake -S UppASD-cuda -B UppASD-cuda/build -DUSE_CUDA=ON
  cmake --build UppASD-cuda/build -j "$cores"
fi
