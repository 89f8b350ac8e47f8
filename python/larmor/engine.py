"""Simulations in the process of Python: chunks of steps, with arrays of the state between them.

    study = larmor.Study(seed=1)
    study.lattice(type="square", size=[100, 100])
    study.exchange(shell=1, J=1.0)
    study.stage("dynamics", timestep=0.01, steps=10_000, temperature=0.5, damping=0.1)

    with larmor.start(study, "results.h5") as sim:
        while not sim.done:
            sim.run(steps=100)
            print(sim.time, sim.spins.mean(axis=(0, 1)))

The results have the bits of `larmor.run`, in whatever chunks a program runs the study. A program that sets spins makes
another simulation.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np

from .errors import InputError, Interrupted, LarmorError, MachineError
from .given_arrays import unmasked
from .options import require_choices
from .program import PACKAGE, error_of, find_program, warn

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from . import _engine
    from .options import Backend, PathLike, Precision
    from .running import AnyStudy

NAME = "larmor._engine"
# Called by the module with the fields of an error, as the program reports them.
exception_of = error_of


class StageNow(NamedTuple):
    """The current stage."""

    number: int
    """From 1, as in the key "stage.1.steps"."""
    kind: str
    """The kind, such as "dynamics"."""


class ArrayInfo(NamedTuple):
    """An array of a simulation."""

    unit: str
    """Empty for numbers without a unit, and for all numbers in reduced units."""
    axes: str
    """Names of the axes, such as "replica, site, component"."""
    has_view: bool
    """Does `Simulation.view` show it without a copy?"""
    can_be_set: bool
    """Does `Simulation.set` replace it?"""


@dataclass(frozen=True)
class Progress:
    """The work of a call of `Simulation.run`."""

    steps: int
    """Time steps or sweeps of this call; 0 in stages that count none."""
    updates: float
    """Updates of single sites in this call."""
    seconds: float
    """Time of this call."""
    fraction: float
    """Fraction of the study that is done, from 0 to 1. Stages that end on convergence do not count."""
    done: bool
    """Is the study complete?"""


class StartOptions(TypedDict, total=False):
    """Options of `larmor.start`."""

    backend: Backend | None
    precision: Precision | None
    threads: int | None
    force: bool
    set: Mapping[str, Any] | None
    checkpoint_every: float | None


class Callback:
    """A function that a simulation calls after every `steps` steps; see `Simulation.each`."""

    def __init__(self, simulation: Simulation, steps: int, function: Callable[[Simulation], object]):
        self._simulation = weakref.ref(simulation)
        self.steps = steps
        self.function = function

    def cancel(self) -> None:
        """Ends the calls. A second call has no effect."""
        simulation = self._simulation()
        if simulation is not None and self in simulation._callbacks:
            simulation._callbacks.remove(self)

    def __repr__(self) -> str:
        simulation = self._simulation()
        state = "" if simulation is not None and self in simulation._callbacks else ", cancelled"
        return f"<Callback every {self.steps} steps{state}>"


class Simulation:
    """A study that runs in the process of Python, chunk by chunk. `larmor.start` makes it.

    Only one thread may use a simulation at a time. While the engine computes, other threads of Python run, also with
    simulations of their own.

    In a `with` statement, the end of the block closes the simulation. A study that is not complete then gets a
    checkpoint, and `larmor.resume(output)` continues it.
    """

    def __init__(self, inner: _engine.Simulation, output: Path | None):
        """@param inner the simulation of the module @param output results; None: nobody keeps them"""
        self._inner = inner
        self._output = output
        self._callbacks: list[Callback] = []
        if output is not None:
            _OPEN[output.resolve()] = self
        self._finalizer = weakref.finalize(self, _close, inner)
        self._warn()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()
        if isinstance(error, KeyboardInterrupt) and not isinstance(error, Interrupted) and self._can_resume:
            raise Interrupted(self._existing_output) from error

    def __repr__(self) -> str:
        where = "complete" if self.done else f"stage {self.stage.number} {self.stage.kind}, step {self.step}"
        return f"<larmor.Simulation of {self.model}: {where}, on {self.device}>"

    def close(self) -> None:
        """Ends the simulation. A study with an output that is not complete gets a checkpoint.

        Arrays can still be read, and views stay valid.
        """
        if self._inner.is_open():
            self._inner.close()
            self._warn()

    def checkpoint(self) -> None:
        """Writes a checkpoint and all results so far, which other programs can then read.

        Raises InputError if there is no output, or if the study is complete.
        """
        self._inner.save()

    # Running

    def run(self, steps: int | None = None) -> Progress:
        """Runs `steps` time steps or sweeps of the current stage, or without a number the rest of the study.

        A chunk ends at the end of its stage at the latest. Some stages work in rounds: while Monte Carlo
        tunes itself, for instance, a round has ten sweeps. Their chunks end with a round. A stage that counts no steps,
        such as a minimisation, runs one round of its own.

        Ctrl-C ends the chunk after a few steps. It writes a checkpoint if there is an output, and raises Interrupted,
        or KeyboardInterrupt if there is no output. The simulation can go on after that.

        Raises InputError for a number of steps below 1, and if the simulation is closed. Raises UnphysicalError or
        MachineError if the engine fails. The simulation is then closed.
        """
        if steps is not None and steps < 1:
            raise InputError(f"a chunk of {steps} steps", remedy="give 1 step or more")
        began = time.monotonic()
        with self._interruptible():
            made, updates = self._run_stage(steps)
            while steps is None and not self.done:
                more = self._run_stage(None)
                made, updates = made + more[0], updates + more[1]
        return self._progress(made, updates, began)

    def run_stage(self) -> Progress:
        """Runs the rest of the current stage. Raises the errors of `run`."""
        began = time.monotonic()
        with self._interruptible():
            made, updates = self._run_stage(None)
        return self._progress(made, updates, began)

    def each(self, steps: int, callback: Callable[[Simulation], object]) -> Callback:
        """Calls callback(simulation) after every `steps` time steps or sweeps of a stage, while `run` runs.

        Returns a handle, whose `cancel()` ends the calls; the callback itself may call it. Chunks that end with a round
        may call it a few steps later. In a stage that counts no steps it is called after each round. An exception of
        the callback ends the run, and the simulation can go on after that. Raises InputError for a number of steps
        below 1.
        """
        if steps < 1:
            raise InputError(f"a callback every {steps} steps", remedy="give 1 step or more")
        self._callbacks.append(Callback(self, steps, callback))
        return self._callbacks[-1]

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C between two chunks, in a callback for instance, has the effect of Ctrl-C within a chunk."""
        try:
            yield
        except Interrupted:
            raise
        except KeyboardInterrupt as error:
            if not self._can_resume:
                raise
            self.checkpoint()
            raise Interrupted(self._existing_output) from error

    def _run_stage(self, steps: int | None) -> tuple[int, float]:
        """Runs steps of the current stage; None: to its end. Returns (steps, updates)."""
        if not self._callbacks:
            return self._chunk(steps)
        stage, made, updates = self._inner.stage_number(), 0, 0.0
        while True:
            step = self.step
            part = [] if steps is None else [steps - made]
            part += [callback.steps - (step or 0) % callback.steps for callback in self._callbacks]
            more = self._chunk(min(part, default=None))
            made, updates = made + more[0], updates + more[1]
            for callback in list(self._callbacks):
                is_due = step is None or step // callback.steps != (step + more[0]) // callback.steps
                # An earlier callback may have cancelled this one.
                if is_due and callback in self._callbacks:
                    callback.function(self)
            ended = self._inner.is_complete() or self._inner.stage_number() != stage
            if ended or (steps is not None and (step is None or made >= steps)):
                return made, updates

    def _chunk(self, steps: int | None) -> tuple[int, float]:
        """Only the main thread gets the signals of Python."""
        try:
            return self._inner.run(steps, threading.current_thread() is threading.main_thread())
        except KeyboardInterrupt as error:
            if self._can_resume:
                raise Interrupted(self._existing_output) from error
            raise
        except LarmorError as error:
            error.output = self._output
            raise
        finally:
            self._warn()

    def _progress(self, steps: int, updates: float, began: float) -> Progress:
        return Progress(steps, updates, time.monotonic() - began, self._inner.fraction_done(), self.done)

    def _warn(self) -> None:
        for note in self._inner.notes():
            warn(note)

    # Position

    @property
    def step(self) -> int | None:
        """Time steps or sweeps since the current stage began; None in a stage that counts none."""
        return self._inner.place()[0]

    @property
    def time(self) -> float | None:
        """Time since the current stage began, in `time_unit`; None in a stage without time."""
        return self._inner.place()[1]

    @property
    def time_unit(self) -> str:
        """Unit of `time`, such as "ps"; empty in reduced units."""
        return self._inner.place()[2]

    @property
    def stage(self) -> StageNow:
        """Number and kind of the current stage; the last stage after the end."""
        return StageNow(self._inner.stage_number() + 1, self._inner.stage_kind())

    @property
    def stages(self) -> int:
        """Number of stages of the study."""
        return self._inner.stages()

    @property
    def done(self) -> bool:
        """Is the study complete?"""
        return self._inner.is_complete()

    @property
    def fraction(self) -> float:
        """Fraction of the study that is done, from 0 to 1. Stages that end on convergence do not count."""
        return self._inner.fraction_done()

    @property
    def output(self) -> Path | None:
        """Path of the results; None: nobody keeps them."""
        return self._output

    @property
    def model(self) -> str:
        """Kind of the model, such as "spins"."""
        return self._inner.model()

    @property
    def device(self) -> str:
        """The device in words, such as "2 thread(s), x86-64-v3, double"."""
        return self._inner.device()

    @property
    def replicas(self) -> int:
        """Number of replicas."""
        return self._inner.replicas()

    # Arrays

    @property
    def arrays(self) -> dict[str, ArrayInfo]:
        """The arrays of this simulation, by name."""
        return {row[0]: ArrayInfo(*row[1:]) for row in self._inner.arrays()}

    def array(self, name: str) -> npt.NDArray[Any]:
        """A copy of an array, which is read-only. Sites are in the canonical order of results.

        Raises InputError for an array that this simulation does not have.
        """
        return self._inner.array(name)

    def view(self, name: str) -> Any:
        """An array in the memory of the engine, without a copy. It changes as the simulation runs.

        On a CPU it is a read-only array of NumPy. On a GPU it is an object with `__dlpack__`, for `torch.from_dlpack` or
        `cupy.from_dlpack`; write nothing there. The view of "fields" is computed by this call.

        Sites have the order of the engine, see `site_order`. Vectors of spins have the axes (block of eight replicas,
        replica in its block, site, component), and `view[r // 8, r % 8]` is replica r. The last block may have more
        replicas than the study. Views of atoms and phi^4 fields have the axes of the copies.

        A view stays valid after the end of the simulation. Finish work on a GPU before the next `run`. Raises
        InputError for an array without a view.
        """
        return self._inner.view(name)

    def set(self, name: str, values: npt.ArrayLike) -> None:
        """Replaces an array, from which the simulation goes on. `values` has the shape of `array(name)`.

        "spins" of vectors can be set: between two chunks of dynamics or Monte Carlo, and before any stage. Spins must
        have the length 1 within 1e-5, and become exact unit vectors. Vectors of vacancies are ignored. The results say
        that a program has set spins (the attribute `state_set` of the stage).

        Raises InputError for an array that cannot be set, another shape, another length of a spin, or masked entries.
        """
        self._inner.set_array(name, np.ascontiguousarray(unmasked(values, name), dtype=np.float64))

    @property
    def state(self) -> Any:
        """View of the spins, of the phi^4 fields, or of the positions of atoms; see `view`."""
        for name, info in self.arrays.items():
            if info.has_view:
                return self.view(name)
        raise InputError(f"the engine packs the states of {self.model}", remedy="take a copy: sim.spins")

    @property
    def site_order(self) -> npt.NDArray[np.int32]:
        """Canonical index of each site of a view of spins: `view[0, 0, n]` belongs to site `site_order[n]`.

        Empty if views are in canonical order.
        """
        return self._inner.order_of_views()

    @property
    def spins(self) -> npt.NDArray[Any]:
        """Copy of the spins: unit vectors [replica, site, 3], or Ising spins -1 and 1 [replica, site].

        Vacancies are zero vectors. The copy is read-only; assign a whole array to set unit vectors (see `set`).
        """
        return self.array("spins")

    @spins.setter
    def spins(self, values: npt.ArrayLike) -> None:
        self.set("spins", values)

    def fields(self) -> npt.NDArray[np.float64]:
        """Effective fields h = -dH/de of all vector spins [replica, site, 3], energies in the unit of the study's
        results (eV in material units).

        The magnetic field is B = h / mu with the moment mu. The fields are those of the Hamiltonian, without pulses,
        currents and noise of a stage.
        """
        return self.array("fields")

    def torques(self) -> npt.NDArray[np.float64]:
        """Torques e x h on all vector spins [replica, site, 3], in the unit of `fields`.

        e x h = mu e x B is the torque on the moment mu e. Without damping, de/dt = -(gamma / mu) e x h.
        """
        return self.array("torques")

    @property
    def moments(self) -> npt.NDArray[np.float64]:
        """Magnetic moments of vector spins [site], in Bohr magnetons; 1 by default in reduced units, 0 for vacancies."""
        return self.array("moments")

    @property
    def energies(self) -> npt.NDArray[np.float64]:
        """Energy of each replica [replica]: the energy of all spins, or the potential energy of all atoms.

        Ising and Potts spins have energies while a Monte Carlo stage runs.
        """
        return self.array("energies")

    @property
    def positions(self) -> npt.NDArray[np.float64]:
        """Positions of atoms [replica, atom, 3] in Angstrom, not wrapped into the box.

        If replicas have different numbers of atoms: [atom, 3], one replica after the other. This also holds for
        `velocities` and `forces`.
        """
        return self.array("positions")

    @property
    def velocities(self) -> npt.NDArray[np.float64]:
        """Velocities of atoms [replica, atom, 3] in Angstrom/ps."""
        return self.array("velocities")

    @property
    def forces(self) -> npt.NDArray[np.float64]:
        """Forces on atoms [replica, atom, 3] in eV/Angstrom."""
        return self.array("forces")

    @property
    def cells(self) -> npt.NDArray[np.float64]:
        """Vectors of the boxes of atoms [replica, vector, 3] in Angstrom."""
        return self.array("cells")

    @property
    def _can_resume(self) -> bool:
        return self._output is not None and not self.done

    @property
    def _existing_output(self) -> Path:
        assert self._output is not None
        return self._output


def start(study: AnyStudy, output: PathLike | None = None, *, backend: Backend | None = None,
          precision: Precision | None = None, threads: int | None = None, force: bool = False,
          set: Mapping[str, Any] | None = None, checkpoint_every: float | None = None) -> Simulation:
    """Starts a study in the process of Python, and returns its simulation. No step runs yet.

    `study` is a Study, a dictionary, the path of a TOML file, or a TOML text of several lines. `output` is the results
    file. Without an output, results go to a temporary file, which the end of the simulation removes.

    Notes about possible mistakes become a LarmorWarning. Raises InputError for a mistake in the study, for a scan, and
    if `output` exists. Raises MachineError if the machine lacks the memory or device, and if the module of the engine
    is missing.

    @param force replaces an existing `output`
    @param set changes of keys for this run, such as {"stage.1.sweeps": 100}
    @param checkpoint_every seconds between checkpoints
    """
    from .running import changes_of, output_path, study_file
    from .study import Study

    if isinstance(study, str) and "\n" in study:
        study = Study.from_toml(study)
    require_choices(backend=backend, precision=precision, threads=threads, checkpoint_every=checkpoint_every)
    engine = load()
    path = None if output is None else output_path(output, force)
    _require_unused(path)
    options = (changes_of(set), None if path is None else str(path), force, backend or "", precision or "",
               threads or 0, checkpoint_every or 0.0)
    if isinstance(study, str | os.PathLike):
        return Simulation(engine.begin_file(os.fspath(study), *options), path)
    with study_file(study, path, force) as (file, (_, folder)):
        text = Path(file).read_text(encoding="utf-8")
        return Simulation(engine.begin_text(text, "study", os.path.abspath(folder), *options), path)


def resume(output: PathLike, *, backend: Backend | None = None, precision: Precision | None = None,
           threads: int | None = None, checkpoint_every: float | None = None, change_arithmetic: bool = False,
           from_start: bool = False) -> Simulation:
    """The simulation of an interrupted run, of `larmor.start` or `larmor.run`, at its last checkpoint.

    Raises InputError if the run is complete, and otherwise as `larmor.resume`, whose options it has.
    """
    path = Path(output).absolute()
    _require_unused(path)
    require_choices(backend=backend, precision=precision, threads=threads, checkpoint_every=checkpoint_every)
    inner = load().resume(str(path), backend or "", precision or "", threads or 0, checkpoint_every or 0.0,
                          change_arithmetic, from_start)
    return Simulation(inner, path)


# Simulations by their outputs.
_OPEN: weakref.WeakValueDictionary[Path, Simulation] = weakref.WeakValueDictionary()


def _require_unused(output: Path | None) -> None:
    """Two simulations would write one file in turns."""
    other = None if output is None else _OPEN.get(output.resolve())
    if other is not None and other._inner.is_open() and not other.done:
        raise InputError(f"another simulation of this process writes '{output}'",
                         remedy="close it first, or choose another output")


def load() -> Any:
    """The module of the engine, from the installed package, or else from the folder of the program `larmor`.

    Raises MachineError if there is none.
    """
    if NAME in sys.modules:
        return sys.modules[NAME]
    path = _module_path()
    try:
        return _load_from(path)
    except ImportError as error:
        raise MachineError(f"the module of the engine cannot be loaded: {error}",
                           remedy="install the package larmor-engine anew, or build the source tree again") from error


def _module_path() -> Path:
    names = [f"_engine{sysconfig.get_config_var('EXT_SUFFIX')}"]
    if sys.version_info >= (3, 12):
        # This module serves all these versions.
        names.append("_engine.abi3.so")
    folders = [PACKAGE]
    try:
        folders.append(Path(find_program()).resolve().parent)
    except MachineError:
        pass
    for folder in folders:
        for file in (folder / name for name in names):
            if file.exists():
                return file
    raise MachineError(
        f"the module of the engine is missing: no {names[0]} in {' or '.join(map(str, folders))}",
        remedy="install the package larmor-engine, which has it. In a source tree, install python3-dev and nanobind "
               "(tools/setup.sh test), then build anew")


def _load_from(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(NAME, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[NAME]
        raise
    return module


def _close(inner: _engine.Simulation) -> None:
    """Writes the checkpoint of a simulation that nobody has closed."""
    if not inner.is_forked() and inner.is_open():
        inner.close()
