#!/usr/bin/env bash
# Does all C++ code have the layout of clang-format?
set -euo pipefail
cd "$(dirname "$0")/.."
find larmor bench cli module tests -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' | xargs clang-format --dry-run --Werror
