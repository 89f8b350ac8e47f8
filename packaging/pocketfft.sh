#!/usr/bin/env bash
# Puts pocketfft_hdronly.h into a folder (build/pocketfft). Debian has no package of this header. The sources of
# gemmi on PyPI contain an unchanged copy.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/pocketfft}
[ -e "$folder/pocketfft_hdronly.h" ] && exit
python=.venv/bin/python
[ -x "$python" ] || python=python3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
echo "gemmi==0.7.5 --hash=sha256:3328f26c8a8a0ef6a7fc8bb28e167818e324e4239dd4197d6b6066ae2b6315fe" > "$place/wanted.txt"
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary gemmi --require-hashes \
  -r "$place/wanted.txt" -d "$place"
mkdir -p "$folder"
tar -xzf "$place/gemmi-0.7.5.tar.gz" -C "$folder" --strip-components=4 \
  gemmi-0.7.5/include/gemmi/third_party/pocketfft_hdronly.h
