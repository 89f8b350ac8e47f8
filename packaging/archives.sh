#!/usr/bin/env bash
# Builds an archive or packages for Debian. Arguments: TGZ or DEB, the folder that receives them, settings for CMake.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=$1
packages=$2
shift 2
packaging/pocketfft.sh
cmake --preset package "$@" >/dev/null
cmake --build --preset package
mkdir -p "$packages"
(cd build/package && cpack -G "$kind")
case $kind in
  TGZ) made=(build/package/larmor-*.tar.gz) ;;
  DEB) made=(build/package/larmor*.deb) ;;
esac
mv "${made[@]}" "$packages"
ls -l "${made[@]/#build\/package/$packages}"
