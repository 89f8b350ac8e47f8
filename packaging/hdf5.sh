#!/usr/bin/env bash
# Builds a static HDF5 that can be a part of a module, in a folder (build/hdf5). Debian's cannot. The sources are those
# of Debian 12.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "${1:-build/hdf5}"
folder=$(realpath "${1:-build/hdf5}")
[ -e "$folder/lib/libhdf5_hl.a" ] && exit
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place"/{lists,cache}/partial
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" \
  >"$place/sources.list"
cd "$place"
apt=(apt-get -q -q -o "Dir::Etc::sourcelist=$place/sources.list" -o Dir::Etc::sourceparts=-
  -o "Dir::State::lists=$place/lists" -o "Dir::Cache=$place/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" source --download-only hdf5
tar -xzf hdf5_*.orig.tar.gz
cd hdf5-*/
./configure --quiet --disable-shared --enable-static --with-pic --disable-tests --disable-tools --without-szlib \
  --enable-build-mode=production CFLAGS="-O2 -w -fvisibility=hidden" --prefix="$folder" >/dev/null
for part in src hl/src; do
  make --silent -j"$(nproc)" -C "$part" install >/dev/null
done
