#!/usr/bin/env python3
"""Breaks the physics on purpose and shows that a test notices.

A mutant changes an expression or a statement of the sources. tools/mutation/ROOM.py has the mutants
of a room, and gpu.py those of code that only a GPU executes. One copy of the sources under build/
contains all mutants and is built once. LARMOR_MUTANT in the environment of its programs selects one
mutant. Without a mutant, every named test must pass. With a mutant, a check of its test must fail.
A mutant that survives counts as an error. So does a program that crashes, hangs or runs no test.

    tools/mutants.py                     all mutants of the CPU: build and run
    tools/mutants.py NAME ...            some of them

    tools/mutants.py --gpu --build-only  builds the programs with the mutants of a GPU, in
                                         build/gpu-mutants/build/cuda

    tools/mutants.py --gpu --run FOLDER  runs those, on a machine with a GPU
    tools/mutants.py --check PROGRAM ... does every mutant fit the sources, and does its test exist?
    tools/mutants.py --list              their names
"""

import argparse
import concurrent.futures
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from mutation import gpu  # noqa: E402
from mutation.mutant import HEADER, Misfit, Mutant, numbered, place_of, woven  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = ROOT / "tools" / "mutation"
# Kernels for run-time compilation cannot read the environment. A number in their text selects the
# mutant.
COMPILER = "larmor/core/device/jit_compiler.cpp"
COMPILED = "std::string compile_for_gpu(const std::string& {}, GpuArchitecture gpu) {{"


def mutants_of_rooms():
    """The mutants of all files tools/mutation/ROOM.py. Each mutant changes a file of its room."""
    table = {}
    for path in sorted(TOOL.glob("*.py")):
        if path.stem in ("mutant", "gpu"):
            continue
        mutants = importlib.import_module(f"mutation.{path.stem}").MUTANTS
        wrong = [name for name, mutant in mutants.items()
                 if name in table or not mutant.file.startswith(f"larmor/{path.stem}/")]
        if wrong:
            sys.exit(f"tools/mutation/{path.name}: mutants of other rooms, or with names in use: "
                     f"{', '.join(wrong)}")
        table |= mutants
    return table


class Kind(NamedTuple):
    """A set of mutants that share one build."""

    table: dict
    copy: str
    preset: str
    settings: list
    targets: list
    environment: dict


KINDS = {
    # The build has one instruction set, since all sets have one text. Its optimisation is low,
    # since the tests are short.
    "cpu": Kind(
        mutants_of_rooms(), "mutants", "release",
        ["-DLARMOR_CUDA=OFF", "-DLARMOR_NATIVE=ON", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"],
        ["physics_tests"], {},
    ),
    "gpu": Kind(
        gpu.MUTANTS, "gpu-mutants", "cuda", ["-DLARMOR_TESTS=ON"],
        ["gpu_tests", "physics_tests"], {"LARMOR_TEST_BACKEND": "cuda"},
    ),
}


def program_and_filter(kind, mutant):
    if kind.targets[0] == "gpu_tests" and not mutant.test.startswith("physics_tests:"):
        return "gpu_tests", mutant.test
    return "physics_tests", mutant.test.removeprefix("physics_tests:")


def problems_of(table, root):
    """Lines `name: problem` for the mutants that do not fit the sources under `root`."""
    problems = []
    for name, mutant in table.items():
        path = root / mutant.file
        if not path.is_file():
            problems.append(f"{name}: there is no file {mutant.file}")
            continue
        try:
            place_of(path.read_text(encoding="utf-8"), mutant)
        except Misfit as error:
            problems.append(f"{name}: {error}")
    return problems


def with_text_of_mutant(source):
    """The source of the run-time compiler, which adds the number of the mutant to every text."""
    given = COMPILED.format("text")
    if source.count(given) != 1:
        raise Misfit(f"{COMPILER} has no line {given}")
    taken = COMPILED.format("given") + "\n  const std::string text = text_with_mutant(given);"
    return f'#include "{HEADER}"\n' + source.replace(given, taken)


def missing_tests(kind, programs):
    """Lines of the mutants whose tests a program does not have. @param programs path by name"""
    problems, there = [], {}
    for name, mutant in kind.table.items():
        program, tests = program_and_filter(kind, mutant)
        if program not in programs:
            continue
        for test in tests.split(":"):
            if (program, test) not in there:
                listed = subprocess.run(
                    [programs[program], "--gtest_list_tests", f"--gtest_filter={test}"],
                    capture_output=True, text=True, check=True,
                )
                there[program, test] = "\n  " in listed.stdout
            if not there[program, test]:
                problems.append(f"{name}: {program} has no test {test}")
    return problems


def overlaps_of(kind):
    """A line if two mutants of a file change parts of one text."""
    try:
        woven_sources(kind)
    except Misfit as error:
        return [str(error)]
    return []


def check(paths):
    programs = {pathlib.Path(path).name: path for path in paths}
    problems = []
    try:
        with_text_of_mutant((ROOT / COMPILER).read_text(encoding="utf-8"))
    except Misfit as error:
        problems.append(str(error))
    for kind in KINDS.values():
        misfits = problems_of(kind.table, ROOT)
        problems += misfits or overlaps_of(kind)
        problems += missing_tests(kind, programs)
    print("\n".join(problems) if problems else "every mutant fits the sources and has its test")
    return 1 if problems else 0


def write_if_changed(path, text):
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def woven_sources(kind):
    """Texts, by path, of the files that the copy changes or adds."""
    numbers, of_file = numbered(kind.table), {}
    for name, mutant in kind.table.items():
        of_file.setdefault(mutant.file, {})[numbers[name]] = mutant
    texts = {}
    for file, mutants in of_file.items():
        texts[file] = woven((ROOT / file).read_text(encoding="utf-8"), mutants.items())
    if kind.preset == "cuda":
        texts[COMPILER] = with_text_of_mutant((ROOT / COMPILER).read_text(encoding="utf-8"))
    rows = ['{"", 0}'] + [f'{{"{name}", {number}}}' for name, number in numbers.items()]
    source = (TOOL / "larmor_mutant.cpp").read_text(encoding="utf-8")
    texts["larmor/core/larmor_mutant.cpp"] = source.replace("@MUTANTS@", ", ".join(rows))
    texts[HEADER] = (TOOL / "larmor_mutant.hpp").read_text(encoding="utf-8")
    for target in kind.targets:
        folder = target.removesuffix("_tests")
        texts[f"tests/{folder}/larmor_mutant_test.cpp"] = (
            TOOL / "larmor_mutant_test.cpp").read_text(encoding="utf-8")
    return texts


def make_copy(kind, copy):
    """Writes the sources with all mutants; unchanged files keep their time."""
    texts = woven_sources(kind)
    sources = ("larmor", "bench", "cli", "mpi", "tests")
    for name in ("CMakeLists.txt", "CMakePresets.json", "cmake", "tools/timed.sh", *sources):
        path = ROOT / name
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            relative = str(file.relative_to(ROOT))
            if file.is_file() and "__pycache__" not in relative:
                texts.setdefault(relative, file.read_text(encoding="utf-8"))
    for folder in sources:
        for file in list((copy / folder).rglob("*")):
            if file.is_file() and str(file.relative_to(copy)) not in texts:
                file.unlink()
    for file, text in texts.items():
        write_if_changed(copy / file, text)
    environment = copy / ".venv"
    if (ROOT / ".venv").is_dir() and not environment.exists():
        environment.symlink_to(ROOT / ".venv")


def build(kind):
    """@returns the folder of the programs"""
    copy = ROOT / "build" / kind.copy
    make_copy(kind, copy)
    folder = copy / "build" / kind.preset
    for command in (
        ["cmake", "--preset", kind.preset, *kind.settings],
        ["cmake", "--build", str(folder), "--target", *kind.targets],
    ):
        built = subprocess.run(command, cwd=copy, capture_output=True, text=True)
        if built.returncode:
            sys.exit(f"the mutants do not build:\n{(built.stdout + built.stderr)[-6000:]}")
    return folder


def run_tests(program, tests, environment, seconds):
    """@returns the result of some tests: 'passed', 'failed', or how the program ended"""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        try:
            ended = subprocess.run(
                [program, f"--gtest_filter={tests}", "--gtest_fail_fast", "--gtest_brief=1",
                 f"--gtest_output=json:{report}"],
                cwd=folder, env=environment, timeout=seconds, capture_output=True, text=True,
            )
        except subprocess.TimeoutExpired:
            return f"not done after {seconds:.0f} s"
        if ended.returncode < 0:
            return f"ended by signal {-ended.returncode}"
        if ended.returncode not in (0, 1) or not report.is_file():
            return f"ended with {ended.returncode}: {(ended.stdout + ended.stderr)[-300:].strip()}"
        found = json.loads(report.read_text(encoding="utf-8"))
    cases = [case for suite in found["testsuites"] for case in suite["testsuite"]]
    if any(case.get("failures") for case in cases):
        return "failed"
    if not cases:
        return "no test of this name"
    if all(case["result"] == "SKIPPED" for case in cases):
        return "skipped"
    return "passed" if ended.returncode == 0 else f"ended with {ended.returncode}"


class Runner:
    """Runs tests of the programs in a folder, several at a time."""

    def __init__(self, kind, folder, jobs, seconds):
        self.kind, self.folder, self.jobs, self.seconds = kind, folder, jobs, seconds

    def one(self, name, mutant):
        program, tests = program_and_filter(self.kind, mutant)
        environment = os.environ | self.kind.environment | {
            "LARMOR_MUTANT": name, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
        start = time.monotonic()
        how = run_tests(self.folder / program, tests, environment, self.seconds)
        return how, time.monotonic() - start

    def all(self, runs, good, words):
        """@param runs (name, mutant) each @returns number of runs that do not end as `good`"""
        wrong = 0
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            ends = pool.map(lambda run: self.one(*run), runs)
            for (name, mutant), (how, seconds) in zip(runs, ends):
                word = words if how == good else "SURVIVED" if how == "passed" and name else how
                print(f"{name or '(no mutant)':<47} {word:<8} {seconds:6.1f} s  {mutant.test}",
                      flush=True)
                wrong += how != good
        return wrong


def run(kind, names, folder, jobs, seconds):
    mutants = {name: kind.table[name] for name in names or kind.table}
    runner = Runner(kind, pathlib.Path(folder).resolve(), jobs, seconds)
    of_test = {program_and_filter(kind, mutant): mutant for mutant in mutants.values()}
    wrong = runner.all([("", mutant) for mutant in of_test.values()], "passed", "passed")
    if wrong:
        print(f"{wrong} tests do not pass without a mutant: no mutant was tried")
        return 1
    wrong = runner.all(list(mutants.items()), "failed", "killed")
    print(f"{wrong} of {len(mutants)} mutants not killed" if wrong
          else f"all {len(mutants)} mutants killed")
    return 1 if wrong else 0


def self_test():
    """The check must find patterns that do not fit, and tests that do not exist. A kill must be a
    failed test."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.cpp").write_text("double f(double x) { return 2 * x; }\nint g() { return 1; }\n")
        good = {
            "expression": Mutant("a.cpp", "return «2 * x»;", "x", "F.Works"),
            "statement": Mutant("a.cpp", "return 1;", "return 2;", "F.Works"),
        }
        assert problems_of(good, root) == []
        bad = {
            "moved": Mutant("a.cpp", "return «3 * x»;", "x", "F.Works"),
            "twice": Mutant("a.cpp", "«return»", "", "F.Works"),
            "no_file": Mutant("b.cpp", "return 1;", "return 2;", "F.Works"),
            "same": Mutant("a.cpp", "return «2 * x»;", "2 *  x", "F.Works"),
            "open_bracket": Mutant("a.cpp", "«double f(double» x)", "int", "F.Works"),
            "half_a_statement": Mutant("a.cpp", "return 2 *", "return 3 *", "F.Works"),
        }
        problems = problems_of(good | bad, root)
        assert [p.split(":")[0] for p in problems] == list(bad), problems
        text = woven((root / "a.cpp").read_text(), enumerate(good.values(), 1))
        assert "return (larmor_mutant(1) ? (x) : (2 * x));" in text, text
        assert "{ if (larmor_mutant(2)) { return 2; } else { return 1; } }" in text, text

        def program(name, body):
            path = root / name
            path.write_text("#!/bin/sh\n" + body)
            path.chmod(0o755)
            return path

        report = "{\"testsuites\":[{\"testsuite\":[%s]}]}"
        write = "for a in \"$@\"; do case $a in --gtest_output=json:*) " \
                "echo '" + report + "' >${a#--gtest_output=json:};; esac; done\nexit %s\n"
        done, failure = '"result": "COMPLETED"', '"failures": [{"failure": "2 is not 1"}]'
        ends = {
            "passed": write % (f"{{{done}}}", 0),
            "failed": write % (f"{{{done}, {failure}}}", 1),
            "skipped": write % ('{"result": "SKIPPED"}', 0),
            "no test of this name": write % ("", 0),
            "ended by signal 11": "kill -SEGV $$\n",
            "not done after 1 s": "exec sleep 9\n",
            "ended with 1: no report": "echo no report; exit 1\n",
        }
        for how, body in ends.items():
            found = run_tests(program("tests", body), "F.Works", os.environ, 1)
            assert found == how, (found, how)
        lists = "case $2 in --gtest_filter=F.Works) printf 'F.\\n  Works\\n';; esac\n"
        kind = KINDS["cpu"]._replace(table=good | {
            "no_test": Mutant("a.cpp", "return 1;", "return 2;", "F.Works:F.Fails")})
        found = missing_tests(kind, {"physics_tests": program("physics_tests", lists)})
        assert found == ["no_test: physics_tests has no test F.Fails"], found
    print("the tool finds mutants that do not fit, and counts only a failed test as a kill")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--gpu", action="store_true", help="mutants of code that only a GPU executes")
    parser.add_argument("--list", action="store_true", help="print the names of all mutants")
    parser.add_argument("--build-only", action="store_true", help="build without running tests")
    parser.add_argument("--run", metavar="FOLDER", help="run the programs in this folder instead of building them")
    parser.add_argument("--check", nargs="+", metavar="PROGRAM",
                        help="check that every mutant fits the sources and that these programs have its test")
    parser.add_argument("--self-test", action="store_true", help="test this script")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=300, help="longest time of a test run, in seconds (300)")
    arguments = parser.parse_args()
    kind = KINDS["gpu" if arguments.gpu else "cpu"]
    if arguments.self_test:
        self_test()
        return 0
    if arguments.check:
        return check(arguments.check)
    unknown = set(arguments.names) - set(kind.table)
    if unknown:
        parser.error(f"no mutant is called {', '.join(sorted(unknown))}")
    if arguments.list:
        print("\n".join(kind.table))
        return 0
    try:
        folder = arguments.run or build(kind)
    except Misfit as error:
        sys.exit(f"a mutant does not fit the sources: {error}")
    if arguments.build_only:
        print(folder)
        return 0
    return run(kind, arguments.names, folder, arguments.jobs, arguments.seconds)


if __name__ == "__main__":
    sys.exit(main())
