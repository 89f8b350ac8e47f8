#!/usr/bin/env python3
"""Does each source compile by itself?   tools/check_sources_alone.py [FOLDER]

Builds combine the sources of a folder and precompile headers, so a source may depend on the
includes of another source. This script compiles each source separately, and with it the header that
the source includes first. It configures FOLDER (`build/alone` if left out).
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("larmor", "bench", "cli", "tests")
SETTINGS = ["-DLARMOR_UNITY=OFF", "-DLARMOR_CUDA=OFF", "-DLARMOR_NATIVE=ON", "-DCMAKE_BUILD_TYPE=Release"]


def problem_of(entry):
    """The compiler's errors for a source; empty if it compiles."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if word.endswith(("g++", "c++"))):]
    words = words[: words.index("-o")] + ["-fsyntax-only", "-w", entry["file"]]
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main(folder):
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *SETTINGS], check=True,
                   stdout=subprocess.DEVNULL)
    entries = [entry for entry in json.loads((folder / "compile_commands.json").read_text())
               if any(pathlib.Path(entry["file"]).is_relative_to(ROOT / folder) for folder in FOLDERS)]
    if not entries:
        raise SystemExit("no source was found")
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        problems = [problem for problem in pool.map(problem_of, entries) if problem]
    if problems:
        raise SystemExit("\n".join(problems))
    print(f"{len(entries)} sources compile alone")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "alone").resolve())
