#!/usr/bin/env bash
# Is all C++ code laid out by clang-format?
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs clang-format --dry-run --Werror
