"""Options of the program as arguments of functions: their types, their form on the command line, and their names in
messages."""

from __future__ import annotations

import os
import re
from typing import Any, Literal, get_args

from .errors import InputError

Backend = Literal["auto", "cpu", "cuda"]
Precision = Literal["double", "single", "mixed"]
PathLike = str | os.PathLike[str]

# Options that are arguments of functions of this package, with underscores in place of dashes.
OPTIONS = frozenset(
    "--backend --checkpoint-every --coldest --data --distance --folds --format --hottest --output --points-at-once "
    "--potential --precision --repeats --rungs --sample --seconds --seed --set --snap --spins --sweeps "
    "--target-energy --threads --tolerance --zbl".split())
FLAGS = frozenset(
    "--anneal --bispectrum --certify --change-arithmetic --ferromagnetic --force --from-start --leave-one-group-out "
    "--maximise --order --quick".split())


# The last line of errors of wrong arguments.
_OF_COMMAND_LINE = "\nRun with --help for more information."


def require_choices(**options: Any) -> None:
    """Raises InputError for a `backend`, `precision`, `threads` or `checkpoint_every` that the engine does not have."""
    for name, choices in (("backend", get_args(Backend)), ("precision", get_args(Precision))):
        if options[name] is not None and options[name] not in choices:
            raise InputError(f"{name} = {options[name]!r}", remedy=f"give one of {', '.join(map(repr, choices))}")
    for name, remedy in (("threads", "give 1 or more, or leave threads out for all processors"),
                         ("checkpoint_every", "give a positive number of seconds")):
        if options[name] is not None and not options[name] > 0:
            raise InputError(f"{name} = {options[name]!r}", remedy=remedy)


def words_of(**options: Any) -> list[str]:
    """Words of a command line with these options, in order. True gives an option without a value; None and False give
    none."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, str(value)]
    return words


def of_python(text: str) -> str:
    """A message with the arguments of Python in place of options: `threads` for --threads, `force=True` for --force.
    Commands in backticks keep their options."""
    def named(found: re.Match[str]) -> str:
        argument = found[0].removeprefix("--").replace("-", "_")
        return argument if found[0] in OPTIONS else f"{argument}=True" if found[0] in FLAGS else found[0]

    return re.sub(r"`[^`]*`|(?<![\w-])--[a-z]+(?:-[a-z]+)*", named, text.removesuffix(_OF_COMMAND_LINE))
