#!/bin/sh
# Runs a compiler and records its time in a file next to its object: processor seconds of user and system, one
# line per compilation. tools/build_cost.py adds them up.
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
