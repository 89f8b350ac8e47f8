#!/bin/sh
# Runs a compiler and notes beside its object how long it took: seconds of the processor, of user and
# system, a line for each time that the object was compiled. tools/build_cost.py adds them up.
#   tools/timed.sh COMPILER ...
output=
previous=
for word; do
  [ "$previous" = -o ] && output=$word
  previous=$word
done
"$@"
status=$?
[ -n "$output" ] && [ -d "${output%/*}" ] && times >> "$output.times"
exit $status
