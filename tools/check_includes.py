#!/usr/bin/env python3
"""Do the rooms of larmor/ include only headers that the architecture allows?

A room includes headers of itself and of the rooms above it in ROOMS, by their full path, and none
of bench/ or cli/. bench/ and cli/ include no headers of each other, except for those in cli/shared.
No header of ours includes headers that are slow to compile, except for those in OF_EIGEN. Code that
serves all model kinds names no single model kind.
"""

import pathlib
import re
import sys
import tempfile

ROOMS = ["core", "tempering", "overlaps", "lattice", "symmetry", "clusters", "ising", "transfer", "quantum", "trotter", "ground_states", "phi4", "paths", "spins", "atoms",
         "correlations", "spinwaves", "parsplice", "particles", "io", "imports", "evaluation", "fitting", "study"]
# The inner rooms of a room, in order. The name "." means files that lie in the room itself. If an
# inner room has inner rooms, it has no other folders.
INNER_ROOMS = {
    "core": [".", "maths", "statistics", "input", "device", "gpu", "simd", "fft", "ranks"],
    "study": ["model_kind", "input", "lattice", "stages", "measurements", "sampling", "tempering", "parsplice",
              "models/spins/tables", "models/spins/system", "models/spins/observables",
              "models/spins/measurements", "models/spins/sampling", "models/spins/stages", "models/spins/exact_results", "models/spins",
              "models/discrete/system", "models/discrete/measurements",
              "models/discrete/sampling", "models/discrete/stages", "models/discrete",
              "models/quantum/system", "models/quantum/stages", "models/quantum",
              "models/particles/system", "models/particles/stages", "models/particles",
              "models/phi4/system", "models/phi4/sampling", "models/phi4",
              "models/atoms/tables", "models/atoms/system", "models/atoms/measurements", "models/atoms/stages",
              "models/atoms/sampling", "models/atoms", "models", "run", "scan", "reweighting"],
    "atoms": ["cell", "neighbours", "system", "forces", "potentials/zbl", "potentials/snap", "integrators", "minimisers",
              "paths", "observables", "states"],
    "ising": [".", "potts", "multispin/grid", "multispin/samples", "clusters", "measures"],
    "spins": ["long_range", "hamiltonian", "terms", "state", "jit", "domains", "samplers",
              "observables", "integrators", "landscape", "htst"],
    "correlations": ["fourier", "pairs/operands", "pairs/reductions", "pairs/cpu", "pairs/gpu",
                     "pairs", "spectra"],
    "io": ["files", "hdf5", "results", "graphs", "structures", "potentials"],
}
# The folders of the programs, and the headers of ours that they may include. A folder within
# another folder precedes it.
PROGRAMS = {
    "bench": ("bench/", "cli/shared/", "larmor/"),
    "cli/shared": ("cli/shared/", "larmor/"),
    "cli": ("cli/", "larmor/"),
}
# These headers declare matrices of Eigen and are as slow as Eigen.
OF_EIGEN = ("larmor/core/maths/dense_algebra.hpp",)
SLOW = ("toml++", "CLI/", "spdlog", "Eigen", "hdf5", "H5", "fftw3", "pocketfft", "sqlite3", "gemmi", "spglib", "muParser", "cblas", "dmumps", "gtest", *OF_EIGEN)
# Headers that larmor/study may not include, except for larmor/study/models.
OF_KINDS = ("larmor/atoms/", "larmor/particles/", "larmor/ising/", "larmor/transfer/", "larmor/quantum/", "larmor/trotter/", "larmor/phi4/", "larmor/ground_states/", "larmor/spins/", "larmor/correlations/", "larmor/spinwaves/",
            "larmor/study/models/")
WORD_OF_KINDS = re.compile(r"\b(atoms|ising|quantum|phi4|spins|correlations|spinwaves)::")
GENERATED = "larmor_version.hpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def inner_room(parts):
    """@param parts folders and name of a file, from its room on @return position of the file's
    inner room in the order; -1 if the file is in no inner room; None if its room has no inner
    rooms"""
    order = INNER_ROOMS.get(parts[0])
    if order is None:
        return None
    folders = parts[1:-1] or (".",)
    for depth in range(len(folders), 0, -1):
        folder = "/".join(folders[:depth])
        if folder in order:
            is_divided = any(other.startswith(folder + "/") for other in order)
            return -1 if is_divided and depth < len(folders) else order.index(folder)
    return -1


def check(root):
    """Lines `file:line: problem` for the tree under root/larmor."""
    problems = []
    for path in sorted((root / "larmor").rglob("*")):
        if path.suffix not in (".hpp", ".cpp", ".cu", ".cuh"):
            continue
        room = path.relative_to(root / "larmor").parts[0]
        if room not in ROOMS:
            problems.append(f"{path.relative_to(root)}:1: '{room}' is not a room of the architecture; add it to ROOMS")
            continue
        inner = inner_room(path.relative_to(root / "larmor").parts)
        if inner == -1:
            problems.append(f"{path.relative_to(root)}:1: not in an inner room of {room}; add its folder to INNER_ROOMS")
            continue
        of_all_kinds = room == "study" and path.relative_to(root / "larmor").parts[1] != "models"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if of_all_kinds and WORD_OF_KINDS.search(line):
                problems.append(f"{path.relative_to(root)}:{number}: code for all model kinds names one of them")
            found = INCLUDE.match(line)
            if not found:
                continue
            quote, header = found.groups()
            place = f"{path.relative_to(root)}:{number}"
            if header.startswith(("bench/", "cli/")):
                problems.append(f"{place}: the library includes the benchmarks or the command line")
            elif quote == '"' and header != GENERATED and not header.startswith("larmor/"):
                # A path such as "../io/toml.hpp" would evade the order of the rooms, so it is
                # refused.
                problems.append(f"{place}: write {header} as \"larmor/...\", or <...> if not ours")
            if of_all_kinds and header.startswith(OF_KINDS):
                problems.append(f"{place}: code for all model kinds may not include {header}")
            if header.startswith("larmor/"):
                other = header.split("/")[1]
                if other not in ROOMS or ROOMS.index(other) > ROOMS.index(room):
                    problems.append(f"{place}: {room} may not include {header}")
                elif other == room and inner is not None:
                    if not 0 <= inner_room(header.split("/")[1:]) <= inner:
                        problems.append(f"{place}: this inner room may not include {header}")
            if (path.suffix in (".hpp", ".cuh") and header.startswith(SLOW)
                    and str(path.relative_to(root)) not in OF_EIGEN):
                problems.append(f"{place}: {header} is slow to compile; include it only in sources")
    for path in sorted(path for folder in ("bench", "cli") for path in (root / folder).rglob("*")):
        if path.suffix not in (".hpp", ".cpp", ".cu", ".cuh"):
            continue
        file = str(path.relative_to(root))
        folder = next(folder for folder in PROGRAMS if file.startswith(folder + "/"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            if found and found[1] == '"' and not found[2].startswith((*PROGRAMS[folder], GENERATED)):
                problems.append(f"{file}:{number}: {folder} may not include {found[2]}")
    return problems


def self_test():
    """The check must report an upward include in any spelling, an unknown room, a slow header, the
    benchmarks and the command line, and nothing else."""
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        for room in ("core", "lattice", "attic"):
            (root / "larmor" / room).mkdir(parents=True)
        (root / "larmor/core/good.hpp").write_text('#include <vector>\n#include "larmor/core/x.hpp"\n')
        assert len(check(root)) == 0, check(root)
        (root / "larmor/core/bad.hpp").write_text('#include "larmor/lattice/results.hpp"\n')
        (root / "larmor/lattice/slow.hpp").write_text("#include <hdf5.h>\n")
        (root / "larmor/lattice/fine.cpp").write_text('#include <hdf5.h>\n#include "larmor/core/x.hpp"\n')
        (root / "larmor/attic/x.hpp").write_text("")
        problems = check(root)
        assert len(problems) == 3, problems
        (root / "larmor/core/around.hpp").write_text('#include "../lattice/results.hpp"\n')
        (root / "larmor/core/cli.cpp").write_text('\n#include "cli/commands.hpp"\n')
        problems = check(root)
        assert len(problems) == 5, problems
        assert any(p.startswith("larmor/core/cli.cpp:2:") for p in problems), problems
        of_eigen, user = root / OF_EIGEN[0], root / "larmor/lattice/dense.hpp"
        of_eigen.parent.mkdir(parents=True)
        of_eigen.write_text("#include <Eigen/Core>\n")
        assert check(root) == problems, check(root)
        user.write_text(f'#include "{OF_EIGEN[0]}"\n')
        assert len(check(root)) == 6, check(root)
        user.unlink()
        of_eigen.unlink()
        of_eigen.parent.rmdir()
        for folder in ("study/stages", "study/models/spins", "spins", "ising"):
            (root / "larmor" / folder).mkdir(parents=True)
        spins = '#include "larmor/spins/hamiltonian/model.hpp"\nspins::Model model;\n'
        (root / "larmor/study/models/spins/system.cpp").write_text(spins)
        assert len(check(root)) == 5, check(root)
        (root / "larmor/study/stages/stage.hpp").write_text('#include "larmor/study/models/models.hpp"\n')
        problems = check(root)
        assert len(problems) == 7, problems
        (root / "larmor/study/stages/stage.cpp").write_text(
            '#include "larmor/study/models/spins/system.hpp"\n')
        assert len(check(root)) == 9, check(root)
        (root / "larmor/core/maths").mkdir()
        (root / "larmor/core/maths/vec3.hpp").write_text(
            '#include "larmor/core/types.hpp"\n#include "larmor/core/simd/slots.hpp"\n')
        (root / "larmor/study/session.hpp").write_text("")
        problems = check(root)
        assert len(problems) == 11, problems
        for folder in ("cpu", "attic"):
            (root / "larmor/correlations/pairs" / folder).mkdir(parents=True)
        (root / "larmor/correlations/pairs/sums.hpp").write_text(
            '#include "larmor/correlations/pairs/cpu/panels.hpp"\n')
        assert len(check(root)) == 11, check(root)
        (root / "larmor/correlations/pairs/cpu/panels.hpp").write_text(
            '#include "larmor/correlations/fourier/q_list.hpp"\n'
            '#include "larmor/correlations/pairs/sums.hpp"\n'
            '#include "larmor/correlations/pairs/gpu/ring.hpp"\n')
        assert len(check(root)) == 13, check(root)
        (root / "larmor/correlations/pairs/attic/x.hpp").write_text("")
        assert len(check(root)) == 14, check(root)
        (root / "bench").mkdir()
        (root / "bench/speed.cpp").write_text(
            '#include "bench/speed.hpp"\n#include "larmor/core/types.hpp"\n#include "cli/commands.hpp"\n')
        (root / "larmor/core/speed.cpp").write_text('#include "bench/speed.hpp"\n')
        assert len(check(root)) == 16, check(root)
        (root / "cli/shared").mkdir(parents=True)
        (root / "cli/run.cpp").write_text(
            '#include "cli/run.hpp"\n#include "cli/shared/ranks.hpp"\n#include "larmor_version.hpp"\n')
        (root / "bench/main.cpp").write_text('#include "cli/shared/ranks.hpp"\n')
        assert len(check(root)) == 16, check(root)
        (root / "cli/bench.cpp").write_text('#include "bench/speed.hpp"\n')
        (root / "cli/shared/ranks.cpp").write_text('#include "cli/run.hpp"\n')
        assert len(check(root)) == 18, check(root)
    print("the check catches what it should")


def main():
    if "--self-test" in sys.argv[1:]:
        self_test()
        return 0
    problems = check(pathlib.Path(__file__).resolve().parents[1])
    print("\n".join(problems) if problems else "includes follow the architecture")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
