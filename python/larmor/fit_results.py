"""Reads a fit of `larmor fit`: coefficients, errors by group, and predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .estimate import Estimate
from .hdf5_values import Array, attributes, text_of, texts_of, truths_of, unit_of, values_of
from .html_table import table
from .tables import data_frame

FITTED_KINDS = ("energy", "force", "stress")


@dataclass(frozen=True, repr=False, eq=False)
class FitErrors:
    """Errors of one kind; rows are the groups, and last all groups. Columns are training and test.

    count                                      [groups + 1, 2] numbers that are compared
    mean_absolute, root_mean_square, largest   [groups + 1, 2] in `unit`; NaN if there are no numbers
    """

    count: Array
    mean_absolute: Array
    root_mean_square: Array
    largest: Array
    unit: str


@dataclass(frozen=True, repr=False, eq=False)
class Parity:
    """Numbers of one kind: the targets of the set, and those that the potential predicts.

    target, predicted   [n] in `unit`
    group               [n] number of the group of each, from 0
    is_test             [n] whether it is only tested
    """

    target: Array
    predicted: Array
    group: Array
    is_test: Array
    unit: str


@dataclass(frozen=True, repr=False, eq=False)
class LeftOut:
    """Errors of the configurations that a fit has left out, for L groups or folds.

    names             [L] names of the groups, or of the folds
    root_mean_square  by kind (energy, force, stress): [L] in the unit `units[kind]`
    count             by kind: [L] numbers that were compared
    """

    names: list[str]
    root_mean_square: dict[str, Array]
    count: dict[str, Array]
    units: dict[str, str]

    def to_pandas(self) -> Any:
        """One row for each group or fold. Raises MissingPackage without pandas."""
        columns: dict[str, Any] = {"left_out": (self.names, "")}
        for kind, errors in self.root_mean_square.items():
            columns[kind] = (errors, self.units[kind])
        return data_frame(columns)

    def __repr__(self) -> str:
        return f"<LeftOut: {', '.join(self.names)}>"


class Fit:
    """A fitted potential: `coefficients`, `covariance`, `errors("force")`, `parity("force")`.

    details            method, condition, scaled_condition, rank, rows, columns, configurations, tests, atoms, ...
    groups, elements   names of the groups of the set, and of the elements
    """

    def __init__(self, group: h5py.Group):
        self._group = group
        self.details = attributes(group)
        self.groups: list[str] = texts_of(group["groups"])
        self.elements: list[str] = texts_of(group["elements"])

    @property
    def coefficients(self) -> Estimate:
        """[elements, coefficients] as in the .snapcoeff file, beta_0 first, with the errors that follow from the
        covariance, eV. A beta_0 that was not fitted has no error."""
        dataset = self._group["coefficients"]
        value = values_of(dataset)
        errors = np.full(value.shape, np.nan)
        of_element = int(self.details.get("coefficients_of_element") or value.shape[1])
        variances = np.diagonal(self.covariance)
        if len(variances) == len(value) * of_element:
            errors[:, value.shape[1] - of_element:] = np.sqrt(variances).reshape(len(value), of_element)
        return Estimate(value, errors, unit_of(dataset) or "eV", "coefficients")

    @property
    def covariance(self) -> Array:
        """[columns, columns] covariance of the fitted coefficients, element by element, eV^2."""
        return values_of(self._group["covariance"])

    @property
    def input(self) -> str:
        """The input of the fit, TOML."""
        return text_of(self._group["input"])

    @property
    def kinds(self) -> list[str]:
        """Kinds of the fitted numbers: energy, force, stress."""
        return [kind for kind in FITTED_KINDS if kind in self._group["errors"]]

    def errors(self, kind: str) -> FitErrors:
        """Errors of "energy", "force" or "stress". Raises NotInResults for other words."""
        errors = self._of_kind("errors", kind)
        count, mean_absolute, root_mean_square, largest = (
            values_of(errors[name]) for name in ("count", "mean_absolute", "root_mean_square", "largest"))
        return FitErrors(count, mean_absolute, root_mean_square, largest, unit_of(errors["mean_absolute"]))

    def parity(self, kind: str) -> Parity:
        """Targets and predictions. Raises NotInResults for other words."""
        parity = self._of_kind("parity", kind)
        target, predicted, group = (values_of(parity[name]) for name in ("target", "predicted", "group"))
        return Parity(target, predicted, group, truths_of(parity["is_test"]), unit_of(parity["target"]))

    @property
    def left_out_groups(self) -> LeftOut:
        """Errors of each group by a fit without it. Raises NotInResults if the fit was not asked for these."""
        return self._left_out("left-out-groups")

    @property
    def folds(self) -> LeftOut:
        """Errors of each fold by a fit without it. Raises NotInResults if the fit was not asked for these."""
        return self._left_out("folds")

    def _left_out(self, name: str) -> LeftOut:
        if name not in self._group:
            raise not_in_results("group", name, "the fit", self._group)
        group = self._group[name]
        kinds = {kind: group[kind] for kind in FITTED_KINDS if kind in group}
        return LeftOut(texts_of(group["name"]),
                       {kind: values_of(of["root_mean_square"]) for kind, of in kinds.items()},
                       {kind: values_of(of["count"]).astype(int) for kind, of in kinds.items()},
                       {kind: unit_of(of["root_mean_square"]) for kind, of in kinds.items()})

    def _of_kind(self, what: str, kind: str) -> h5py.Group:
        if kind not in FITTED_KINDS:
            raise not_in_results("kind", kind, "the fit", FITTED_KINDS)
        return self._group[what][kind]

    def to_pandas(self) -> Any:
        """One row for each group, and last for all, of training and of test: root mean squares by kind. Raises
        MissingPackage without pandas."""
        groups = [*self.groups, "all"]
        columns: dict[str, Any] = {"group": (groups * 2, ""),
                                   "part": (["training"] * len(groups) + ["test"] * len(groups), "")}
        for kind in self.kinds:
            errors = self.errors(kind)
            columns[kind] = (errors.root_mean_square.T.ravel(), errors.unit)
        return data_frame(columns)

    def __repr__(self) -> str:
        return f"<Fit of {', '.join(self.elements)}: {self.details['rows']} rows, {self.details['columns']} columns>"

    def _repr_html_(self) -> str:
        errors = {kind: self.errors(kind) for kind in self.kinds}
        header = ["group", *(f"{kind} ({of.unit}), {part}" for kind, of in errors.items() for part in ("training", "test"))]
        rows = [[group, *(f"{number:.4g}" for of in errors.values() for number in of.root_mean_square[row])]
                for row, group in enumerate([*self.groups, "all"])]
        return table(header, rows, f"Root mean square errors of a fit of {', '.join(self.elements)}")
