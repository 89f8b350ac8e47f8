"""Words about a stage for titles and axes: its number and kind, its temperature, the names of its steps, and the values
in which its replicas differ."""

from __future__ import annotations

import sys

import h5py
import numpy as np

from .errors import NotInResults
from .hdf5_values import text_of
from .labels import plain_title, temperature_text
from .stage import Parameter, Stage

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# Name of one step of a stage, by its kind.
_STEPS = {"dynamics": "time step", "md": "time step", "minimise": "iteration", "minimum-energy-path": "iteration"}


def of_atoms(stage: Stage) -> bool:
    """Are the sites of the model moving atoms?"""
    model = _study_group(stage).get("model")
    return model is not None and "masses" in model


def site_word(stage: Stage) -> str:
    """The word for one site: "atom" for moving atoms, else "site"."""
    return "atom" if of_atoms(stage) else "site"


def step_word(stage: Stage) -> str:
    """The word for one step: "sweep", "time step" or "iteration". Atoms make time steps in place of sweeps."""
    return _STEPS.get(stage.kind, "time step" if of_atoms(stage) else "sweep")


def parameter_of_replicas(stage: Stage) -> Parameter | None:
    """The temperature, field or coupling in which replicas differ: replica r has value number r modulo their number.
    None: all replicas are equal."""
    if "rungs" in stage.details:
        return stage.parameter
    if "temperature" not in stage and "kappa" in stage and len(stage.kappa) > 1:
        return stage.parameter
    return None


def heading(title: str, stage: Stage, *details: str, with_temperature: bool = True) -> str:
    """The title, and a second line: number and kind of the stage, its name, its temperature if there is only one,
    and details that are not empty.

    with_temperature: is the temperature of the stage one of these?
    """
    kind = f"stage {stage.number}: {stage.kind}"
    named = f"{kind} ({plain_title(stage.title)})" if stage.title else kind
    temperature = temperature_of(stage) if with_temperature else ""
    if not stage.completed:
        details = (*details, "unfinished")
    words = ", ".join(filter(None, (named, temperature, *details)))
    return f"{title}\n{words}" if title else words


def temperature_of(stage: Stage) -> str:
    """"$T$ = 300 K" if the stage has only one temperature, else an empty text."""
    try:
        values, unit = np.unique(stage.temperature), stage.temperature_unit
    except NotInResults:
        return _temperature_of_study(stage)
    return temperature_text(float(values[0]), unit) if len(values) == 1 else ""


def moment_of(stage: Stage, replica: int) -> list[str]:
    """The temperature of a final configuration, and its replica, or its image of a path."""
    if "path" in stage:
        path = stage.path
        name = f"image {replica} of 0 to {len(path.energy) - 1}"
        return [f"{name} (saddle)" if replica == path.saddle else name]
    return [_temperature_of_replica(stage, replica), f"replica {replica}"]


def _temperature_of_replica(stage: Stage, replica: int) -> str:
    """The temperature at the end of the stage: the last one, or that of the rung of this replica."""
    if "temperature" not in stage or len(stage.temperature) < 2:
        return temperature_of(stage)
    values = stage.temperature
    number = -1
    if "rungs" in stage.details:
        rungs = stage.group.get("configuration_rung")
        if rungs is None or replica >= len(rungs):
            return ""
        number = int(rungs[replica])
    return temperature_text(float(values[number]), stage.temperature_unit)


def _study_group(stage: Stage) -> h5py.Group:
    """The group that holds the model and the stages of one study."""
    return stage.group.parent.parent


def _temperature_of_study(stage: Stage) -> str:
    """The temperature that the completed study gives to the stage, if it is one number. Motion without a bath has the
    temperature of the stage before it."""
    group = _study_group(stage)
    try:
        text = text_of(group["study/completed"])
        # The tables before those of stages may have long lists of bonds.
        tables = tomllib.loads(text[text.index("[[stage]]"):])["stage"]
        value, unit = _temperature_of_table(tables[stage.number - 1])
    except (KeyError, IndexError, TypeError, ValueError):
        return ""
    before = [other for name in group["stages"] if (other := Stage(group["stages"][name])).number == stage.number - 1]
    # A stage of several temperatures, such as annealing, ends at the last one.
    if value == 0 and stage.kind == "dynamics" and before and (known := _temperature_of_replica(before[0], 0)):
        return f"started at {known}"
    return temperature_text(value, unit)


def _temperature_of_table(table: dict) -> tuple[float, str]:
    """Temperature and unit; raises KeyError if the table has none, or one that changes."""
    if table.get("temperature_schedule") or table.get("pulse"):
        raise KeyError("temperature")
    value = table["temperature"]
    number, _, unit = value.partition(" ") if isinstance(value, str) else (value, "", "")
    return float(number), unit
