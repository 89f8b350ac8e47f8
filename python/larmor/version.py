"""The version of this package."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from pathlib import Path

DISTRIBUTION = "larmor-engine"


@cache
def find_version() -> str:
    """The version of the source tree that holds this package, or else of the installed distribution."""
    tree = Path(__file__).resolve().parents[2] / "CMakeLists.txt"
    if tree.is_file():
        stated = re.search(r"project\(\s*larmor\s+VERSION\s+([\d.]+)", tree.read_text(encoding="utf-8"), re.IGNORECASE)
        if stated:
            return stated[1]
    return version(DISTRIBUTION)
