"""States of lowest energy that a stage found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py

from .hdf5_values import Array, attributes, unit_of, values_of


@dataclass(frozen=True, repr=False, eq=False)
class LowestState:
    """The state of lowest energy of all replicas.

    energy         per site, in `unit`;
    configuration  [N, ...] the state, as `Stage.configuration` has it for one replica;
    details        temperature and replica (where it was found), replicas (number that have it at the end), ...
    """

    energy: float
    unit: str
    configuration: Array
    details: dict[str, Any]

    def __repr__(self) -> str:
        return f"<LowestState: energy {self.energy:.10g} {self.unit}".rstrip() + " per site>"


@dataclass(frozen=True, repr=False, eq=False)
class LowestStates:
    """For each of S disorder samples of a tempering stage, the state of the lowest measured energy.

    energy               [S] per site, in `unit`;
    temperature          [S] where it was first measured, in `temperature_unit`;
    replica, sweep       [S] the replica, and the sweep in which it was first measured
    configuration        [S, N, ...] the states
    """

    energy: Array
    unit: str
    temperature: Array
    temperature_unit: str
    replica: Array
    sweep: Array
    configuration: Array

    def __repr__(self) -> str:
        return f"<LowestStates: {len(self.energy)} sample(s), lowest energy {self.energy.min():.10g} per site>"


def read_lowest_state(group: h5py.Group) -> LowestState:
    """Reads the group `lowest-state` of a stage."""
    details = attributes(group)
    return LowestState(float(details.get("energy", float("nan"))), str(details.get("energy_unit", "")),
                       values_of(group["configuration"]), details)


def read_lowest_states(group: h5py.Group) -> LowestStates:
    """Reads the group `lowest-states` of a stage."""
    return LowestStates(values_of(group["energy"]), unit_of(group["energy"]), values_of(group["temperature"]),
                        unit_of(group["temperature"]), values_of(group["replica"]).astype(int),
                        values_of(group["sweep"]).astype(int), values_of(group["configuration"]))
