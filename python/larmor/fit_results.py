"""Reads a fit of `larmor fit`: coefficients, errors by group, and predictions."""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import attributes, texts_of, unit_of

FITTED_KINDS = ("energy", "force", "stress")


@dataclass(frozen=True, repr=False)
class FitErrors:
    """Errors of one kind; rows are the groups, and last all groups. Columns are training and test.

    count                                      [groups + 1, 2] numbers that are compared
    mean_absolute, root_mean_square, largest   [groups + 1, 2] in `unit`; NaN if there are no numbers
    """

    count: np.ndarray
    mean_absolute: np.ndarray
    root_mean_square: np.ndarray
    largest: np.ndarray
    unit: str


@dataclass(frozen=True, repr=False)
class Parity:
    """Numbers of one kind: the targets of the set, and those that the potential predicts.

    target, predicted   [n] in `unit`
    group               [n] number of the group of each, from 0
    is_test             [n] whether it is only tested
    """

    target: np.ndarray
    predicted: np.ndarray
    group: np.ndarray
    is_test: np.ndarray
    unit: str


class Fit:
    """A fitted potential: `coefficients`, `covariance`, `errors("force")`, `parity("force")`."""

    def __init__(self, group: h5py.Group):
        self._group = group
        # method, condition, scaled_condition, rank, rows, columns, configurations, tests, atoms, ..
        self.details = attributes(group)
        self.groups: list[str] = texts_of(group["groups"])
        self.elements: list[str] = texts_of(group["elements"])

    @property
    def coefficients(self) -> np.ndarray:
        """[elements, coefficients] as in the .snapcoeff file, beta_0 first, eV."""
        return self._group["coefficients"][()]

    @property
    def covariance(self) -> np.ndarray:
        """[columns, columns] covariance of the fitted coefficients, element by element, eV^2."""
        return self._group["covariance"][()]

    def errors(self, kind: str) -> FitErrors:
        """Errors of "energy", "force" or "stress". Raises NotInResults for other words."""
        errors = self._of_kind("errors", kind)
        names = ("count", "mean_absolute", "root_mean_square", "largest")
        return FitErrors(*(errors[name][()] for name in names), unit_of(errors["mean_absolute"]))

    def parity(self, kind: str) -> Parity:
        """Targets and predictions. Raises NotInResults for other words."""
        parity = self._of_kind("parity", kind)
        return Parity(parity["target"][()], parity["predicted"][()], parity["group"][()],
                      parity["is_test"][()].astype(bool), unit_of(parity["target"]))

    def _of_kind(self, what: str, kind: str) -> h5py.Group:
        if kind not in FITTED_KINDS:
            raise not_in_results("kind", kind, "the fit", FITTED_KINDS)
        return self._group[what][kind]

    def __repr__(self) -> str:
        return f"<Fit of {', '.join(self.elements)}: {self.details['rows']} rows, {self.details['columns']} columns>"
