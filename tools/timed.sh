#!/bin/sh
# Runs a compiler and records its time in a file next to its object. Each compilation adds two lines
# with processor seconds of user and system: one for the shell, one for the compiler.
# tools/build_cost.py adds them up.
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
