#!/usr/bin/env bash
# Puts the headers of Python 3.13 from Debian 13 into a folder (build/python3.13). With them, the module for Python is
# built once for all versions from 3.12 on.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/python3.13}
[ -e "$folder/Python.h" ] && exit
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place"/{lists,cache,archives}/partial "$folder"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" \
  >"$place/sources.list"
apt=(apt-get -q -q -o "Dir::Etc::sourcelist=$place/sources.list" -o Dir::Etc::sourceparts=-
  -o "Dir::State::lists=$place/lists" -o "Dir::Cache=$place/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$place" && "${apt[@]}" download libpython3.13-dev)
dpkg-deb --extract "$place"/libpython3.13-dev_*.deb "$place/unpacked"
cp "$place"/unpacked/usr/include/python3.13/*.h "$folder"
cp -r "$place"/unpacked/usr/include/python3.13/{cpython,internal} "$folder"
# The header for all architectures includes this one by the name of the architecture.
cp -r "$place"/unpacked/usr/include/*-linux-gnu/python3.13/pyconfig.h "$folder/pyconfig.h"
