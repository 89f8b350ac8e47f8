"""Trajectories from state to state of a stage `parsplice`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py

from .estimate import Estimate
from .hdf5_values import Array, attributes, unit_of, values_of
from .html_table import table
from .tables import data_frame


@dataclass(frozen=True, repr=False, eq=False)
class Transitions:
    """S states in the order of their first visit, n stays, E pairs of states with exits, W exits.

    state, duration   [n] number of the state of each stay, and its duration in `time_unit`;
    label             [S] identifiers of the states;
    visits, exits     [S] numbers of visits and of exits;
    time, settled_time  [S] time in each state, and the part of it after the state had settled, in `time_unit`;
    rate              [S] all exits over the settled time;
    p_exponential     [S] probability that exponential waiting times deviate as much as these; NaN for fewer than 20;
    energy            [S] of the minimum, in `energy_unit`; NaN if no segment began there;
    places            [S, d] the minimum, for atoms [S, N, 3], in `length_unit`; NaN if no segment began there;
    start, end, exits_of_pair  [E] states before and after an exit, and their number;
    rate_of_pair      [E] rate of these exits;
    waiting_state, waiting_time  [W] state of each exit, and the time from settled until exit, in `time_unit`;
    details           step (time between two checks of the state), correlation_time
    """

    state: Array
    duration: Array
    time_unit: str
    label: Array
    visits: Array
    exits: Array
    time: Array
    settled_time: Array
    rate: Estimate
    p_exponential: Array
    energy: Array
    energy_unit: str
    places: Array
    length_unit: str
    start: Array
    end: Array
    exits_of_pair: Array
    rate_of_pair: Estimate
    waiting_state: Array
    waiting_time: Array
    details: dict[str, Any]

    def to_pandas(self) -> Any:
        """One row for each state: visits, exits, times, rate, energy. Raises MissingPackage without pandas."""
        return data_frame({"label": (self.label, ""), "visits": (self.visits, ""), "exits": (self.exits, ""),
                           "time": (self.time, self.time_unit), "settled_time": (self.settled_time, self.time_unit),
                           "rate": self.rate, "p_exponential": (self.p_exponential, ""),
                           "energy": (self.energy, self.energy_unit)})

    def __repr__(self) -> str:
        return f"<Transitions: {len(self.label)} states, {len(self.state) - 1} changes>"

    def _repr_html_(self) -> str:
        rows = ([str(number), str(self.visits[number]), str(self.exits[number]), f"{self.time[number]:.6g}",
                 str(self.rate.at(number))] for number in range(len(self.label)))
        return table(["state", "visits", "exits", f"time {self.time_unit}".strip(), "rate"], rows)


def read_transitions(stage: h5py.Group) -> Transitions:
    """Reads the groups of a finished stage `parsplice`."""
    along, states, rates, waiting = (stage[name] for name in ("trajectory", "states", "rates", "waiting_times"))

    def rate(group: h5py.Group, value: str, error: str) -> Estimate:
        return Estimate(values_of(group[value]), values_of(group[error]), unit_of(group[value]), "rate")

    label, visits, exits, time, settled = (values_of(states[name])
                                           for name in ("label", "visits", "exits", "time", "settled_time"))
    start, end, exits_of_pair = (values_of(rates[name]) for name in ("from", "to", "exits"))
    waiting_state, waiting_time = (values_of(waiting[name]) for name in ("state", "time"))
    return Transitions(values_of(along["state"]), values_of(along["time"]), unit_of(along["time"]), label, visits, exits,
                       time, settled, rate(states, "rate", "rate_error"), values_of(states["p_exponential"]),
                       values_of(states["energy"]), unit_of(states["energy"]), values_of(states["places"]),
                       unit_of(states["places"]), start, end, exits_of_pair, rate(rates, "value", "error"),
                       waiting_state, waiting_time, attributes(along))
