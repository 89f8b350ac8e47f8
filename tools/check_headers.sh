#!/usr/bin/env bash
# Does each header of larmor/, bench/ and cli/ compile by itself?   tools/check_headers.sh [folder of generated
# headers]
# tools/check_sources_alone.py covers headers that their .cpp file includes first. This script
# compiles another header again only if the header, a header that it includes or this script has
# changed.
set -euo pipefail
cd "$(dirname "$0")/.."
generated=${1:-build/release/generated}
stamps=$generated/headers-alone
mkdir -p "$stamps"
# Flags for headers that declare matrices of Eigen.
eigen=$(pkg-config --cflags eigen3)
export generated stamps eigen

first_include() { sed -n 's/^#include [<"]\(.*\)[>"].*/\1/p;T;q' "$1"; }

# The stamp of a header holds the checksums of all files that its compilation reads.
check() {
  local source=${1%.hpp}.cpp
  [ -e "$source" ] && [ "$(first_include "$source")" = "$1" ] && return
  local stamp=$stamps/${1//\//.}
  [ -e "$stamp" ] && sha256sum --status -c "$stamp" 2>/dev/null && return
  local files=$stamp.$$
  g++ -std=c++20 -fsyntax-only -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -I. -I"$generated" $eigen \
    -MMD -MT headers -MF "$files" -include "$1" -x c++ /dev/null ||
    { rm -f "$files"; echo "$1 does not compile alone"; exit 1; }
  tr -d '\\' < "$files" | sed 's/^headers://' | tr -s ' \n' '\n' | grep -vx -e /dev/null -e '' |
    xargs sha256sum tools/check_headers.sh > "$files.sums"
  mv "$files.sums" "$stamp"
  rm -f "$files"
}
export -f check first_include
find larmor bench cli -name '*.hpp' -print0 |
  xargs -0 -P "$(nproc)" -I{} bash -euo pipefail -c 'check "$1"' check {}
echo "every header compiles alone"
