#!/usr/bin/env bash
# Does each object for one instruction set offer only functions that no other object shares? Every
# weak symbol of a lanes object carries the name of its set. If another object used the function of
# a higher set, the program would fail on a processor without it. Code compiled for v2 runs on every
# supported processor.
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
