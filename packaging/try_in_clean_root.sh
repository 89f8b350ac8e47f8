#!/usr/bin/env bash
# Installs the packages in fresh roots of Debian 12 and Ubuntu 24.04, which have no compiler, and tries them.
# Needs root, debootstrap, and the mirrors of both distributions. The pictures remain in the roots.
#   packaging/try_in_clean_root.sh PACKAGES FOLDER [bookworm|noble]...
# PACKAGES is the folder with the wheel, the archive and the .deb. FOLDER receives the roots.
set -euo pipefail
packages=$(realpath "$1")
folder=$2
shift 2
suites=("$@")
((${#suites[@]})) || suites=(bookworm noble)
mkdir -p "$folder"
folder=$(realpath "$folder")
((EUID == 0)) || { echo "run this script as root: it makes roots and installs packages in them" >&2; exit 2; }

declare -A mirror=([bookworm]=http://deb.debian.org/debian [noble]=http://archive.ubuntu.com/ubuntu)
declare -A components=([bookworm]=main [noble]=main,universe)
declare -A python=([bookworm]=3.11 [noble]=3.12)
scripts=/usr/share/debootstrap/scripts

make_root() {
  local suite=$1 script=$scripts/$1 trust=()
  # An older debootstrap does not know the suite. All suites of Ubuntu share a script.
  [ -e "$script" ] || script=$scripts/gutsy
  [ "$suite" = noble ] && [ ! -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] && trust=(--no-check-gpg)
  debootstrap "${trust[@]}" --variant=minbase --components="${components[$suite]}" "$suite" \
    "$folder/$suite" "${mirror[$suite]}" "$script" >"$folder/$suite.log"
  # Without this mark, the root is made again.
  touch "$folder/$suite/.complete"
}

# Runs a script in the root. First argument: the suite. Second argument: the number of the user.
inside() {
  unshare --mount bash -c 'mount -t proc proc "$1/proc"; exec chroot --userspec="$2" "$1" \
    env -i HOME=/home/tester PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    bash -euo pipefail -s' bash "$folder/$1" "$2"
}

refuse_compilers() {
  inside "$1" 0:0 <<'END'
for compiler in cc gcc g++ c++ clang gfortran make cmake; do
  if command -v $compiler; then echo "this root has a compiler" >&2; exit 1; fi
done
END
}

# Commands that a new user tries. The variable PATH must have the program.
tries='
larmor --version
larmor verify --quick >verified.txt
tail -1 verified.txt
larmor new spin-waves --force | tail -1
larmor run spin-waves.toml --output spin-waves.h5 --force >run.txt
larmor show spin-waves.h5 >shown.txt
head -8 shown.txt
# Formulas need muParser.
larmor new parsplice --force >/dev/null
larmor check parsplice.toml >checked.txt
'
pictures='
larmor plot spin-waves.h5 --force
python3 -c "import larmor; print(larmor.__version__, larmor.open(\"spin-waves.h5\").title)"
python3 -c "import larmor; study = larmor.Study(seed=1); study.lattice(type=\"square\", size=[16, 16]); \
  study.exchange(shell=1, J=1.0); study.stage(\"dynamics\", timestep=0.01, steps=100, temperature=0.5, damping=0.1); \
  simulation = larmor.start(study); simulation.run(steps=50); print(simulation.step, simulation.spins.shape)"
'

for suite in "${suites[@]}"; do
  echo "==== $suite: a root without a compiler"
  [ -e "$folder/$suite/.complete" ] || { rm -rf "${folder:?}/$suite"; make_root "$suite"; }
  root=$folder/$suite
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  rm -rf "$root/packages"
  mkdir -p "$root/packages"
  cp "$packages"/* "$root/packages"
  # The root may have other certificates than this machine, so the wheels are fetched here.
  python3 -m pip download --quiet --only-binary :all: --python-version "${python[$suite]}" \
    --platform manylinux2014_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux_2_28_x86_64 \
    --platform manylinux_2_36_x86_64 -d "$root/packages" "$packages"/larmor_engine-*-py3-none-*.whl
  refuse_compilers "$suite"
  inside "$suite" 0:0 <<'END'
id tester >/dev/null 2>&1 || useradd --create-home --uid 1000 tester
rm -rf /home/tester/*
END

  echo "---- $suite: the archive, no root, no Python"
  inside "$suite" 1000:1000 <<END
cd
mkdir archive && cd archive
time tar -xzf /packages/larmor-*.tar.gz --strip-components=1
export PATH=\$PWD/bin:\$PATH
$tries
END

  echo "---- $suite: the wheel, no root"
  inside "$suite" 0:0 <<'END'
apt-get update -qq </dev/null
apt-get install -y -qq --no-install-recommends python3-venv </dev/null >/dev/null
END
  inside "$suite" 1000:1000 <<END
cd
python3 -m venv wheel && cd wheel
time bin/pip install --quiet --no-index --find-links /packages larmor-engine
export PATH=\$PWD/bin:\$PATH
$tries
$pictures
END

  # Debian's packages for pictures need many others, a compiler among them. Here, the Python above draws.
  echo "---- $suite: the .deb"
  inside "$suite" 0:0 <<'END'
time apt-get install -y -qq --no-install-recommends /packages/larmor_*.deb </dev/null >/dev/null
END
  inside "$suite" 1000:1000 <<END
cd
mkdir deb && cd deb
$tries
export LARMOR_PYTHON=\$HOME/wheel/bin/python3
larmor plot spin-waves.h5 --force
END
  refuse_compilers "$suite"
done
echo "all packages work in ${suites[*]}"
