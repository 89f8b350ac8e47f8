#!/usr/bin/env python3
"""pytest for ctest.   tools/run_pytest.py ARGUMENTS OF PYTEST

Ends with a line `skipped N: REASON` for each reason that pytest gives. tools/closing_lines.py adds
up these numbers. If every test was skipped, the exit status is SKIPPED, which ctest recognises by
the property SKIP_RETURN_CODE. pytest itself would report success.
"""

import collections
import sys

import pytest

SKIPPED = 77


class Skips:
    """Counts, as a plugin of pytest, the tests that ran and the reasons for skips."""

    def __init__(self):
        self.ran = 0
        self.reasons = collections.Counter()

    def _count(self, report):
        # (file, line, "Skipped: no GPU here"): pytest's report of a skip
        self.reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_collectreport(self, report):
        if report.skipped:
            self._count(report)

    def pytest_runtest_logreport(self, report):
        if report.skipped and not hasattr(report, "wasxfail"):
            self._count(report)
        elif report.when == "call":
            self.ran += 1


def main(arguments):
    skips = Skips()
    status = pytest.main(arguments, plugins=[skips])
    for reason, number in sorted(skips.reasons.items()):
        print(f"skipped {number}: {reason}")
    # If a whole module is skipped, pytest finds no tests in it.
    nothing_failed = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    return SKIPPED if nothing_failed and skips.reasons and not skips.ran else int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
