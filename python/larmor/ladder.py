"""Motion of replicas along the rungs of a tempering stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np

from .estimate import Estimate
from .hdf5_values import Array, attributes, optional_values, truths_of, unit_of, values_of
from .tables import data_frame


@dataclass(frozen=True, repr=False, eq=False)
class Ladder:
    """Motion of replicas along R rungs of a tempering stage.

    name         name of the values: temperature, field, or a coupling such as kappa;
    values       [R] values of the rungs while samples were taken, in `unit`;
    acceptance, acceptance_error  [R - 1] accepted fraction of the exchanges between a rung and the next;
    flow, flow_error              [R] fraction of the replicas at a rung that visited the first rung more recently
                                  than the last rung;
    diffusivity  [R - 1] diffusion constant of replicas between a rung and the next, rungs^2 per sweep;
    stuck        [R - 1] do replicas seldom pass between a rung and the next?
    round_trips  [L] number of round trips of all replicas of each ladder;
    round_trip_time, round_trip_time_error  sweeps that a replica needs for one round trip; NaN if there was none;
    tried        [n, R] values before each round of tuning, or None
    round_trip_rate     round trips of a ladder in a sweep; None: not stored
    round_trip_rate_of_acceptance  this rate as it follows from the acceptances only; None: not stored
    details      of, ladders

    If there is only one ladder, its errors are not known and are NaN.
    """

    name: str
    values: Array
    acceptance: Array
    acceptance_error: Array
    flow: Array
    flow_error: Array
    diffusivity: Array
    stuck: Array
    round_trips: Array
    round_trip_time: float
    round_trip_time_error: float
    tried: Array | None
    unit: str = ""
    round_trip_rate: Estimate | None = None
    round_trip_rate_of_acceptance: float | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def estimates(self) -> dict[str, Estimate]:
        """acceptance [R - 1], flow [R] and round_trip_time (sweeps) with their errors, by name."""
        return {"acceptance": Estimate(self.acceptance, self.acceptance_error, "", "acceptance"),
                "flow": Estimate(self.flow, self.flow_error, "", "flow"),
                "round_trip_time": Estimate(self.round_trip_time, self.round_trip_time_error, "sweeps", "round_trip_time")}

    def to_pandas(self) -> Any:
        """One row for each rung. The last row has no acceptance and diffusivity, since these belong to a rung and the
        next. Raises MissingPackage without pandas."""
        to_next = {name: (np.append(numbers, np.nan), unit) for name, numbers, unit in (
            ("acceptance", self.acceptance, ""), ("acceptance_error", self.acceptance_error, ""),
            ("diffusivity", self.diffusivity, "rungs^2/sweep"))}
        return data_frame({self.name: (self.values, self.unit), "flow": Estimate(self.flow, self.flow_error), **to_next})

    def __repr__(self) -> str:
        return (f"<Ladder: {len(self.values)} rungs, {self.round_trips.sum():.0f} round trips in "
                f"{len(self.round_trips)} ladder(s)>")


def read_ladder(group: h5py.Group, rungs: h5py.Dataset) -> Ladder:
    """Reads the group `ladder` of a stage.

    @param rungs the values of the rungs"""
    details = attributes(group)
    acceptance, acceptance_error, flow, flow_error, diffusivity = (
        values_of(group[name]) for name in ("acceptance", "acceptance_error", "flow", "flow_error", "diffusivity"))
    rate = of_acceptance = None
    if "round_trip_rate" in group:
        rate = Estimate(float(group["round_trip_rate"][0]), float(group["round_trip_rate_error"][0]), "1/sweep",
                        "round_trip_rate")
    if "round_trip_rate_of_acceptance" in group:
        of_acceptance = float(group["round_trip_rate_of_acceptance"][0])
    return Ladder(str(details["of"]), np.atleast_1d(values_of(rungs)), acceptance, acceptance_error,
                  flow, flow_error, diffusivity, truths_of(group["stuck"]),
                  values_of(group["round_trips"]), float(group["round_trip_time"][0]),
                  float(group["round_trip_time_error"][0]), optional_values(group, "tried"), unit_of(rungs), rate,
                  of_acceptance, details)
