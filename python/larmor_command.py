"""The command `larmor` of the wheel: replaces this process by the program in the package `larmor`."""

import importlib.util
import os
import sys
from pathlib import Path


def main() -> None:
    # To import the package would take longer than most commands of the program.
    package = importlib.util.find_spec("larmor")
    assert package is not None and package.origin is not None
    program = Path(package.origin).parent / "_bin" / "larmor"
    # `larmor plot` starts Python again.
    os.environ.setdefault("LARMOR_PYTHON", sys.executable)
    try:
        os.execv(program, ["larmor", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"larmor: the program {program} does not start ({error.strerror}); install larmor-engine again")
