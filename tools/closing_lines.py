#!/usr/bin/env python3
"""Prints the number of skipped tests, with reasons.   tools/closing_lines.py RECORD

RECORD is the output of `ctest --output-junit`. Every skipped test of GoogleTest and of pytest
counts, even if other tests of its program ran.
"""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

OF_GOOGLETEST = re.compile(r"^[^\n]*: Skipped\n([^\n]*)$", re.MULTILINE)
OF_PYTEST = re.compile(r"^skipped (\d+): (.*)$", re.MULTILINE)  # tools/run_pytest.py


def reasons_of(case):
    """Numbers of skipped tests by reason, within one test of ctest."""
    output = case.findtext("system-out") or ""
    reasons = collections.Counter(found.strip() for found in OF_GOOGLETEST.findall(output))
    for number, reason in OF_PYTEST.findall(output):
        reasons[reason.strip()] += int(number)
    if not reasons and case.find("skipped") is not None:
        reasons[f"as {case.get('name')} says"] = 1
    return reasons


def closing_line(record):
    reasons = collections.Counter()
    for case in xml.etree.ElementTree.parse(record).getroot().iter("testcase"):
        reasons.update(reasons_of(case))
    if not reasons:
        return "no test skipped"
    number = sum(reasons.values())
    listed = sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    words = ", ".join(f"{reason or 'no reason given'} ({count})" for reason, count in listed)
    return f"{number} test{'s' if number > 1 else ''} skipped: {words}"


if __name__ == "__main__":
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit("closing_lines.py: ctest left no record of the tests")
    print(closing_line(sys.argv[1]))
