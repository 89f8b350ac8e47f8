#!/usr/bin/env bash
# Objects for one instruction set must not offer functions to the linker that other objects share: every weak
# symbol of a lanes object carries the name of its set. Code compiled for v2 runs on every supported processor.
set -euo pipefail
build=$1
status=0
for isa in v3 v4 generic; do
  for object in $(find "$build" -path "*larmor_lanes_$isa.dir*" -name '*.o'); do
    shared=$(nm -C "$object" | grep -E ' [WVu] ' | grep -v -e "isa_$isa" -e 'DW\.ref\.' || true)
    if [ -n "$shared" ]; then
      echo "$object shares functions compiled for $isa:"
      echo "$shared"
      status=1
    fi
  done
done
exit $status
