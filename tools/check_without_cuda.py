#!/usr/bin/env python3
"""Does a build with CUDA contain all that a build without it needs?   tools/check_without_cuda.py BUILD

Compiles without CUDA the sources that depend on CUDA, and those that a build with CUDA leaves out.
Then checks that all objects together define every function of ours that they use.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

MACRO = "LARMOR_HAS_CUDA"
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]((?:larmor|bench|cli)/[^">]+)[">]', re.MULTILINE)
OF_PROGRAM = re.compile(
    r"CMakeFiles/larmor(_cli|_commands|_command_line|_cold|_bench|_bench_program|_lanes_\w+)?\.dir/"
)
UNITED = re.compile(r'^#include "(/[^"]+\.cpp)"', re.MULTILINE)


def knows_of_cuda(path, known):
    """Does this source, or one of our headers that it includes, name the macro?"""
    if path not in known:
        known[path] = False  # ends the recursion if headers include each other
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        known[path] = MACRO in text or any(
            knows_of_cuda(pathlib.Path(header), known) for header in INCLUDE.findall(text)
        )
    return known[path]


def sources_of(unit):
    """The sources that CMake combined in a unit, or else the source itself."""
    united = UNITED.findall(unit.read_text(encoding="utf-8")) if unit.suffix == ".cxx" else []
    return [pathlib.Path(os.path.relpath(path)) for path in united or [unit]]


def flags_without(words):
    """The compiler and its flags, without the macro of CUDA, without launchers and without names of files."""
    words = [word for word in words[: words.index("-o")] if word != f"-D{MACRO}"]
    first = max(n for n, word in enumerate(words) if pathlib.Path(word).name in ("c++", "g++", "clang++", "ccache"))
    return [*words[first + (pathlib.Path(words[first]).name == "ccache") :], "-O0"]


def precompiled(words, build, folder):
    """The given flags, with headers that were precompiled without CUDA instead of with CUDA."""
    if "-include" not in words:
        return words
    place = words.index("-include") + 1
    text = pathlib.Path(words[place])
    header = folder / text.parent.name / text.name
    if not header.exists():
        header.parent.mkdir()
        header.write_text(text.read_text())
        done = subprocess.run(
            [*words[: place - 1], *words[place + 1 :], "-x", "c++-header", "-o", f"{header}.gch", "-c", str(header)],
            cwd=build, capture_output=True, text=True,
        )
        if done.returncode != 0:
            raise SystemExit(f"{text} does not compile without CUDA:\n{done.stderr}")
    return [*words[:place], str(header), *words[place + 1 :]]


def compiled_without(words, folder, source, output):
    words = [*words, "-o", str(output), "-c", str(source.resolve())]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{source} does not compile without CUDA:\n{done.stderr}")
    return output


def objects_of(again, build, folder):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = [
            pool.submit(compiled_without, words, build, source, folder / f"{number}.o")
            for number, (words, source) in enumerate(again)
        ]
        return [str(job.result()) for job in jobs]


def symbols(objects):
    """Symbols of ours that objects define, and those that they use."""
    listed = subprocess.run(["nm", *objects], capture_output=True, text=True, check=True).stdout
    defined, used = set(), set()
    for line in listed.splitlines():
        words = line.split()
        if len(words) >= 2 and "6larmor" in words[-1]:
            (used if words[-2] == "U" else defined).add(words[-1])
    return defined, used


def main(build):
    known, kept, again, sources = {}, [], [], set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        object_file = words[words.index("-o") + 1]
        unit = pathlib.Path(os.path.relpath(entry["file"]))
        # Precompiled headers are not objects, so they are left out.
        if unit.suffix not in (".cpp", ".cxx") or not OF_PROGRAM.search(object_file) or object_file.endswith(".gch"):
            continue
        of_unit = sources_of(unit)
        sources.update(of_unit)
        if any(knows_of_cuda(source, known) for source in of_unit):
            again.append((words, unit))
        else:
            kept.append(str(build / object_file))
    if not again:
        raise SystemExit(f"no source names {MACRO}: nothing was checked")
    left_out = {
        path for folder in ("larmor", "bench") for path in pathlib.Path(folder).rglob("*.cpp")
    } - sources
    again += [(again[0][0], source) for source in sorted(left_out)]
    with tempfile.TemporaryDirectory() as folder:
        again = [(precompiled(flags_without(words), build, pathlib.Path(folder)), unit) for words, unit in again]
        defined, used = symbols(kept + objects_of(again, build, pathlib.Path(folder)))
    missing = sorted(used - defined)
    if missing:
        names = subprocess.run(["c++filt"], input="\n".join(missing), capture_output=True, text=True)
        raise SystemExit(f"a build without CUDA would lack:\n{names.stdout}")
    print(f"{len(again)} units compiled without CUDA: nothing is missing")


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).resolve().parent.parent)
    main(pathlib.Path(sys.argv[1]).resolve())
