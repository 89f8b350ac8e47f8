#!/bin/sh
# Runs Clang with the arguments that are meant for GCC.   clang.sh CLANG GCC ARGUMENTS...
# The library of OpenMP stays that of GCC, which is linked by its name.
clang=$1
shift 2
compiles=
for argument in "$@"; do
  shift
  case $argument in
    -fopenmp) continue ;;
    -c) compiles=yes ;;
  esac
  set -- "$@" "$argument"
done
[ -n "$compiles" ] && command -v ccache >/dev/null && exec ccache "$clang" "$@"
exec "$clang" "$@"
