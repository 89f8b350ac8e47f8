#!/usr/bin/env python3
"""Do names of tests say which case is tested?   tools/check_test_names.py PROGRAMS OF TESTS

If GoogleTest cannot print a parameter, it shows the parameter as an address or as bytes, which
differ from run to run. Such a parameter needs a `PrintTo`; tests/named.hpp has one.
"""

import re
import subprocess
import sys

UNNAMED = re.compile(r"\b0x[0-9a-f]{4,}\b|-byte object <", re.IGNORECASE)


def unnamed(listed):
    """Tests in the output of `--gtest_list_tests` whose parameter is shown as an address or as
    bytes."""
    found, suite = [], ""
    for line in listed.splitlines():
        if not line.startswith(" "):
            suite = line.split()[0]
        if UNNAMED.search(line):
            found.append(suite + line.strip())
    return found


def self_test():
    listed = """Sizes/Sums.
  Agree/0  # GetParam() = (1, false)
  Agree/1  # GetParam() = (0x55e486130ea0 pointing to "[lattice]", true)
Schemes/Steps.  # TypeParam = float
  Turn/rk4  # GetParam() = rk4
  Turn/heun  # GetParam() = 16-byte object <C3-E5 11-86 E4-55 00-00>
"""
    found = unnamed(listed)
    assert [test.split()[0] for test in found] == ["Sizes/Sums.Agree/1", "Schemes/Steps.Turn/heun"], found
    print("the check catches what it should")


def main(programs):
    if programs == ["--self-test"]:
        self_test()
        return 0
    found, seen = [], 0
    for program in programs:
        listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True)
        seen += len(listed.stdout.splitlines())
        found += unnamed(listed.stdout)
    if found or not seen:
        print("\n".join(found) or "no tests were listed")
        return 1
    print("every parameter has a name")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
