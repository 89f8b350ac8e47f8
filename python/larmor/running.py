"""Runs, continues and checks studies with the program `larmor`."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from .errors import InputError, Interrupted, LarmorError
from .options import Backend, PathLike, Precision, words_of
from .program import Running, call, warn
from .progress_display import display_for
from .results import Results, open_results
from .study import Study
from .study_toml import toml_value
from .study_values import value_of

AnyStudy = Study | Mapping[str, Any] | PathLike
OnProgress = Callable[[Mapping[str, Any]], None]


class CheckOptions(TypedDict, total=False):
    """Options of `larmor.check`."""

    backend: Backend | None
    precision: Precision | None
    threads: int | None
    set: Mapping[str, Any] | None
    program: PathLike | None


class RunOptions(CheckOptions, total=False):
    """Options of `larmor.run`."""

    force: bool
    progress: bool
    checkpoint_every: float | None
    points_at_once: int | None
    on_progress: OnProgress | None


class ResumeOptions(TypedDict, total=False):
    """Options of `larmor.resume`."""

    backend: Backend | None
    precision: Precision | None
    threads: int | None
    progress: bool
    checkpoint_every: float | None
    points_at_once: int | None
    change_arithmetic: bool
    from_start: bool
    on_progress: OnProgress | None
    program: PathLike | None


class Text(str):
    """A text that a session shows as the program printed it."""

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, repr=False)
class Plan:
    """The plan of a study that the program has read and found right."""

    text: str
    """Sites, bonds, memory, time: the lines of `larmor check`."""
    notes: list[str]
    """Notes about possible mistakes."""

    def __repr__(self) -> str:
        return "\n".join([self.text, *(f"note: {note}" for note in self.notes)])


def check(study: AnyStudy, *, backend: Backend | None = None, precision: Precision | None = None,
          threads: int | None = None, set: Mapping[str, Any] | None = None,
          program: PathLike | None = None) -> Plan:
    """Reads a study, runs nothing, and returns its plan.

    `study` is a Study, a dictionary, or the path of a TOML file. Raises InputError for a mistake in the study, and
    MachineError if the machine lacks the memory or device.
    @param set changes of keys, such as {"stage.1.sweeps": 100}
    """
    with study_file(study, None, False) as (file, options):
        arguments = ["check", file, *options, *_set(set),
                     *words_of(backend=backend, precision=precision, threads=threads)]
        with named_study(file, study):
            ended = call(arguments, program=program)
    notes = [line.removeprefix("note: ") for line in ended.lines if line.startswith("note: ")]
    return Plan(ended.output.rstrip("\n"), notes)


def run(study: AnyStudy, output: PathLike | None = None, *, backend: Backend | None = None,
        precision: Precision | None = None, threads: int | None = None, force: bool = False, progress: bool = True,
        set: Mapping[str, Any] | None = None, checkpoint_every: float | None = None,
        points_at_once: int | None = None, on_progress: OnProgress | None = None,
        program: PathLike | None = None) -> Results:
    """Runs a study or a scan, and returns its results.

    `study` is a Study, a dictionary, or the path of a TOML file. `output` is the results file. Without it the
    results are in a temporary file, which is removed together with the returned object; name an `output` for results
    to keep.

    Ctrl-C stops the run after a checkpoint and raises Interrupted, and `larmor.resume(error.output)` continues it.
    Notes of the program become a LarmorWarning. Raises InputError for a mistake in the study, and if `output` exists.
    Raises MachineError for a failure of the machine or a crash of the program, and UnphysicalError if the state
    diverges.

    @param force replaces an existing `output`
    @param progress shows one line of progress
    @param set changes of keys for this run, such as {"stage.1.sweeps": 100}
    @param checkpoint_every seconds between checkpoints
    @param points_at_once number of points of a scan that run concurrently
    @param on_progress is called with each report, at most once a second: a dictionary with "event", "stage", "done",
        "total", "unit", "elapsed", "rate", "left" (seconds, or None) and "averages". An exception of this function
        stops the run
    @param program path of the program; None: see larmor.program.find_program
    """
    is_temporary = output is None
    path = Path(tempfile.mkdtemp(prefix="larmor-"), "results.h5") if output is None else output_path(output, force)
    with study_file(study, path, force) as (file, options):
        arguments = ["run", file, *options, *_set(set),
                     *words_of(output=path, checkpoint_every=checkpoint_every, points_at_once=points_at_once,
                               backend=backend, precision=precision, threads=threads, force=force)]
        with named_study(file, study):
            return _results_of(arguments, path, is_temporary, progress, on_progress, program)


def resume(output: PathLike, *, backend: Backend | None = None, precision: Precision | None = None,
           threads: int | None = None, progress: bool = True, checkpoint_every: float | None = None,
           points_at_once: int | None = None, change_arithmetic: bool = False, from_start: bool = False,
           on_progress: OnProgress | None = None, program: PathLike | None = None) -> Results:
    """Continues an interrupted run from its last checkpoint, and returns its results.

    Results have the bits of an uninterrupted run. Raises InputError if the run is complete, and otherwise as `run`.
    @param output the results file of the run
    @param change_arithmetic allows another backend, precision, GPU or instruction set; results then differ by rounding
    @param from_start begins anew if the checkpoint is lost or damaged. This deletes the stored results
    """
    path = Path(output).absolute()
    arguments = ["resume", str(path),
                 *words_of(checkpoint_every=checkpoint_every, points_at_once=points_at_once, backend=backend,
                           precision=precision, threads=threads, change_arithmetic=change_arithmetic,
                           from_start=from_start)]
    return _results_of(arguments, path, False, progress, on_progress, program)


def explain(*names: str, program: PathLike | None = None) -> Text:
    """The text of `larmor explain`: the meaning of tables, keys and values of studies, such as "exchange.J". Without
    a name it lists the tables. Raises InputError for an unknown name."""
    return Text(call(["explain", *names], program=program).output.rstrip("\n"))


def verify(*, quick: bool = False, backend: Backend | None = None, precision: Precision | None = None,
           threads: int | None = None, program: PathLike | None = None) -> Text:
    """Compares results of this machine with exact results, and returns the table of `larmor verify`.

    Raises InternalError if a result is wrong. @param quick takes fewer samples
    """
    arguments = ["verify", *words_of(quick=quick, backend=backend, precision=precision, threads=threads)]
    ended = Running(arguments, program=program).wait()
    ended.lines = ended.lines or ended.output.splitlines()
    ended.raise_error()
    return Text(ended.output.rstrip("\n"))


def _results_of(arguments: Sequence[str], path: Path, is_temporary: bool, progress: bool,
                on_progress: OnProgress | None, program: PathLike | None) -> Results:
    """Runs the program to its end and opens its results."""
    display = display_for(progress)

    def on_event(event: dict[str, Any]) -> None:
        if event["event"] == "note":
            warn(event["text"])
            return
        display.show(event)
        if on_progress is not None:
            on_progress(event)

    # After an error, resume may need the files until Python ends.
    owner: Any = run
    try:
        running = Running([*arguments, "--progress", "json"], program=program)
        try:
            ended = running.wait(on_event)
        except KeyboardInterrupt as error:
            if path.exists():
                raise Interrupted(path, is_complete=running.code == 0) from error
            raise
        finally:
            display.close()
        if (number := ended.stopping_signal()) is not None:
            raise Interrupted(path, number)
        try:
            ended.raise_error()
        except LarmorError as error:
            error.output = path if path.exists() else None
            raise
        owner = results = open_results(path)
        return results
    finally:
        if is_temporary:
            weakref.finalize(owner, shutil.rmtree, path.parent, ignore_errors=True)


def output_path(output: PathLike, force: bool) -> Path:
    """The absolute path of the results. Raises InputError if the file exists, unless `force` is set."""
    path = Path(output).absolute()
    if path.exists() and not force:
        raise InputError(f"the output '{output}' exists", remedy="give force=True to replace it, or another output")
    return path


@contextmanager
def study_file(study: AnyStudy, output: Path | None, force: bool) -> Iterator[tuple[str, list[str]]]:
    """The file of a study and the options that belong to it.
    @param output results; structures are written next to it, since a resumed run reads them again
    @param force replaces other structures there"""
    if isinstance(study, str | os.PathLike):
        yield os.fspath(study), []
        return
    if not isinstance(study, Study):
        study = Study.from_dict(study)
    folder = tempfile.mkdtemp(prefix="larmor-")
    try:
        stem = Path(folder, "study") if output is None else output.with_suffix("")
        text, structures = study.written(stem)
        file = Path(folder, "study.toml")
        for path, contents in {**structures, file: text}.items():
            _write_text(path, contents, force)
        yield str(file), ["--folder", str(study.folder or Path.cwd())]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write_text(path: Path, contents: str, force: bool) -> None:
    """Writes a file. Raises InputError if it has other contents already, unless `force` is set."""
    if path.exists() and not force and path.read_text(encoding="utf-8") != contents:
        raise InputError(f"'{path}' exists and holds another structure",
                         remedy="give force=True to replace it, or another output")
    path.write_text(contents, encoding="utf-8")


@contextmanager
def named_study(file: str, study: AnyStudy) -> Iterator[None]:
    """Errors call a study of Python "study", and not by the name of its temporary file."""
    try:
        yield
    except LarmorError as error:
        if not isinstance(study, str | os.PathLike):
            error.args = (str(error).replace(file, "study"),)
            error.file = "study" if error.file == file else error.file
        raise


def changes_of(changes: Mapping[str, Any] | None) -> list[str]:
    """Changes of keys as the program takes them: "stage.1.sweeps=100". Raises InputError for values that TOML does not
    have."""
    return [f"{key}={toml_value(value_of(value, key))}" for key, value in (changes or {}).items()]


def _set(changes: Mapping[str, Any] | None) -> list[str]:
    return [word for change in changes_of(changes) for word in ("--set", change)]
