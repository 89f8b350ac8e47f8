#!/usr/bin/env python3
"""The cost of a build and its tests, by room.   tools/build_cost.py [BUILD]

Adds up the processor time of every object of BUILD (build/test if left out), which tools/timed.sh recorded. The
times of its tests come from the record of the last `make test`. Both are printed next to the figures of
tools/build_cost.txt. Machines differ in speed, so rooms are compared by their shares. The script names
a room that takes a fifth more than its row allows; then shorten the room, or change the row.

    tools/build_cost.py --write    writes the rows: from an empty build, CCACHE_DISABLE=1 in the environment
    tools/build_cost.py --check    exit code 1 if a room is named
"""

import argparse
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "tools" / "build_cost.txt"
# Hot loops. A build has them for one instruction set or for several.
LANES = "lanes of one set"
TIMES = re.compile(r"(\d+)m([\d.]+)s (\d+)m([\d.]+)s")
# Seconds that every real compilation takes at least. A shorter time means that the object came from
# the cache.
FROM_THE_CACHE = 0.15
LARGER = 1.2
# Rooms that take fewer seconds are too small to be judged.
SMALL = 5.0


def seconds_of(times):
    """Seconds of the last compilation of an object; None if it always came from the cache."""
    found = None
    # The shell writes one line for itself and then one for its children, which are the compiler.
    for line in times.read_text().splitlines()[1::2]:
        numbers = [float(number) for number in TIMES.fullmatch(line.strip()).groups()]
        spent = 60 * numbers[0] + numbers[1] + 60 * numbers[2] + numbers[3]
        if spent > FROM_THE_CACHE:
            found = spent
    return found


def room_of(path):
    """The room of an object, from the path of the object below BUILD/CMakeFiles."""
    target, _, rest = path.partition(".dir/")
    if target.startswith("larmor_lanes_"):
        return LANES
    if re.search(r"\.cu\.o", rest):
        return "tests (CUDA)" if target == "gpu_tests" else "CUDA"
    if target.endswith("_tests") or target == "larmor_field":
        return "tests"
    if "cmake_pch" in rest:
        return "precompiled headers"
    united = re.match(r"Unity/unity_(?:larmor_)?([a-z0-9]+)", rest)
    if united:
        return {"small": "several small rooms"}.get(united.group(1), united.group(1))
    folders = rest.split("/")
    return folders[1] if folders[0] == "larmor" else folders[0]


def build_seconds(build):
    rooms, cached, sets = collections.Counter(), 0, set()
    for times in build.glob("CMakeFiles/**/*.times"):
        spent = seconds_of(times)
        if spent is None:
            cached += 1
        else:
            path = times.relative_to(build / "CMakeFiles")
            rooms[room_of(str(path))] += spent
            if room_of(str(path)) == LANES:
                sets.add(path.parts[0])
    if sets:
        rooms[LANES] /= len(sets)
    return rooms, cached


def test_seconds(record):
    """Seconds by label, "reliability" for reliability.test_show, from the output of `ctest --output-junit`."""
    rooms = collections.Counter()
    if record.exists():
        for case in xml.etree.ElementTree.parse(record).getroot().iter("testcase"):
            rooms[case.get("name").partition(".")[0]] += float(case.get("time"))
    return rooms


def read_table():
    """{kind: {room: seconds}} for the kinds "build" and "test"."""
    table = {"build": {}, "test": {}}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, room, seconds = re.fullmatch(r"(build|test)\s+(.*\S)\s+([\d.]+)", line).groups()
            table[kind][room] = float(seconds)
    return table


def larger_rooms(measured, known):
    """Rooms that take a larger share than their rows allow, and the ratio of each."""
    both = measured.keys() & known.keys()
    scale = sum(measured[room] for room in both) / (sum(known[room] for room in both) or 1)
    found = {}
    for room, seconds in measured.items():
        expected = scale * known.get(room, 0)
        if seconds > max(LARGER * expected, expected + SMALL):
            found[room] = seconds / expected if expected else float("inf")
    return found


def write_table(measured):
    words = ["# Seconds by room, of the processor for the build and of the clock for tests; made by",
             "# tools/build_cost.py --write. Rooms are compared by their shares."]
    for kind, rooms in measured.items():
        for room, seconds in sorted(rooms.items()):
            words.append(f"{kind:5} {room:24} {seconds:.0f}")
    TABLE.write_text("\n".join(words) + "\n")


def self_test():
    assert room_of("larmor_lanes_v3.dir/larmor/spins/samplers/update_kernels.lanes.cpp.o") == LANES
    assert room_of("larmor_cold.dir/Unity/unity_larmor_study_kinds_0_cxx.cxx.o") == "study"
    assert room_of("larmor_commands.dir/Unity/unity_cli_0_cxx.cxx.o") == "cli"
    assert room_of("larmor.dir/larmor/phi4/field.cpp.o") == "phi4"
    assert room_of("larmor.dir/larmor/phi4/phi4_gpu.strict.cu.o") == "CUDA"
    assert room_of("larmor_bench.dir/bench/json.cpp.o") == "bench"
    known = {"io": 50, "core": 100, "spins": 100}
    # The measured machine has half the speed, and one room is larger.
    assert larger_rooms({"io": 150, "core": 200, "spins": 200}, known).keys() == {"io"}
    assert not larger_rooms({"io": 100, "core": 200, "spins": 200}, known)
    assert larger_rooms({"io": 50, "core": 100, "spins": 100, "new": 30}, known).keys() == {"new"}
    print("the figures are what they should be")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build", nargs="?", default=ROOT / "build" / "test", type=pathlib.Path)
    arguments.add_argument("--write", action="store_true", help="write new rows")
    arguments.add_argument("--check", action="store_true", help="exit code 1 if a room has grown")
    arguments.add_argument("--self-test", action="store_true")
    options = arguments.parse_args()
    if options.self_test:
        self_test()
        return 0
    built, cached = build_seconds(options.build)
    measured = {"build": built, "test": test_seconds(options.build / "tests.xml")}
    if options.write:
        if cached:
            print(f"build_cost.py: {cached} objects came from the cache of compilers; build anew "
                  "with CCACHE_DISABLE=1", file=sys.stderr)
            return 2
        write_table(measured)
    table = read_table()
    grown = {}
    for kind, rooms in measured.items():
        if not rooms:
            continue
        # The shares of an incomplete build cannot be compared with the rows.
        whole = table[kind].keys() <= rooms.keys() and not (cached and kind == "build")
        larger = larger_rooms(rooms, table[kind]) if whole else {}
        grown.update({f"{kind} of {room}": times for room, times in larger.items()})
        print(f"{kind + ' by room':24} {'seconds':>8} {'row':>8}")
        for room, seconds in sorted(rooms.items(), key=lambda entry: -entry[1]):
            row = table[kind].get(room)
            print(f"{room:24} {seconds:8.0f} {row if row is not None else '-':>8}")
        print(f"{'all':24} {sum(rooms.values()):8.0f} {sum(table[kind].values()):8.0f}")
    if cached:
        print(f"{cached} objects came from the cache of compilers: the build is not compared")
    for room, times in grown.items():
        by = "has no row" if times == float("inf") else f"takes {100 * times - 100:.0f}% more than its row"
        print(f"build_cost.py: the {room} {by} in tools/build_cost.txt", file=sys.stderr)
    return 1 if grown and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
