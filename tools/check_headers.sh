#!/usr/bin/env bash
# Does each header of larmor/ compile alone?   tools/check_headers.sh [folder of generated headers]
set -euo pipefail
cd "$(dirname "$0")/.."
generated=${1:-build/release/generated}
export generated
check() {
  g++ -std=c++20 -fsyntax-only -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -I. -I"$generated" \
    -include "$1" -x c++ /dev/null || { echo "$1 does not compile alone"; exit 1; }
}
export -f check
find larmor cli -name '*.hpp' | xargs -P "$(nproc)" -I{} bash -c 'check {}'
echo "every header compiles alone"
