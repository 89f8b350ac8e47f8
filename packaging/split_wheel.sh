#!/usr/bin/env bash
# Makes wheels with at most one module for Python from a wheel with several. Arguments: the wheel, and the folder that
# receives the others.
set -euo pipefail
wheel=$1
packages=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$packages"

# Arguments: the tags of the version of Python and of its interface, and the module to keep.
make_wheel() {
  local tree=$place/$1-$2
  python -m wheel unpack "$wheel" -d "$tree" >/dev/null
  find "$tree" -path '*/larmor/_engine.*.so' ! -name "$3" -delete
  python -m wheel pack "$tree"/* -d "$tree" >/dev/null
  python -m wheel tags --remove --python-tag "$1" --abi-tag "$2" "$tree"/*.whl >/dev/null
  # This adds libraries that are not on every Linux. MPI comes from the machine on which ranks run.
  python -m auditwheel repair --plat "manylinux_2_36_$(uname -m)" --exclude 'libmpi.so.*' \
    -w "$packages" "$tree"/*.whl 2>"$place/log" || { cat "$place/log" >&2; exit 1; }
}

make_wheel py3 none no-module
modules=$(python -m zipfile -l "$wheel" | grep -o '_engine\.[^ ]*\.so' || true)
for module in $modules; do
  case $module in
    _engine.abi3.so) make_wheel cp312 abi3 "$module" ;;
    _engine.cpython-*)
      version=${module#_engine.cpython-}
      make_wheel "cp${version%%-*}" "cp${version%%-*}" "$module"
      ;;
  esac
done
