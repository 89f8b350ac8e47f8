"""Fits of SNAP potentials by `larmor fit`."""

from __future__ import annotations

import os
from pathlib import Path

from .options import Backend, PathLike, Precision, words_of
from .program import Running
from .progress_display import display_for
from .results import Results, open_results


def fit(input: PathLike, output: PathLike, *, data: PathLike | None = None, folds: int | None = None,
        leave_one_group_out: bool = False, backend: Backend | None = None,
        precision: Precision | None = None, threads: int | None = None,
        force: bool = False, progress: bool = True, program: PathLike | None = None) -> Results:
    """Fits a SNAP potential to energies, forces and stresses; `fit` of the returned results has the numbers.

    Writes `output`.snapcoeff, .snapparam, .mod and the results .h5. Raises InputError for a mistake in the input, and
    if a file exists, unless `force` is set.
    @param input TOML file, or FitSNAP's input file
    @param output begin of the names of the files to write
    @param data folder of the groups, in place of the folder that the input names
    @param folds number of folds of a cross-validation
    @param leave_one_group_out also fits without each group, to find the errors for this group
    """
    words = words_of(data=data, folds=folds, leave_one_group_out=leave_one_group_out, backend=backend,
                     precision=precision, threads=threads, force=force)
    display = display_for(progress)
    try:
        ended = Running(["fit", os.fspath(input), "--output", os.fspath(output), "--progress", "json", *words],
                        program=program).wait(display.show)
    finally:
        display.close()
    ended.raise_error()
    return open_results(Path(f"{os.fspath(output)}.h5"))
