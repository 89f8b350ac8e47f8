"""Finite-size scaling of reweighted curves: the critical temperature or kappa and exponents, with errors.

With t the distance from the critical point, a dimensionless average such as the Binder cumulant is

    U_L = f(t L^(1/nu)) + c L^(-omega)

and at t = 0 depends on the size only by corrections (K. Binder, Z. Phys. B 43, 119 (1981)). Its slope grows as
L^(1/nu), like that of ln <m^2>; <m^2> itself falls as L^(-2 beta/nu), 2 beta/nu = d - 2 + eta (A. M. Ferrenberg and
D. P. Landau, Phys. Rev. B 44, 5081 (1991)).

Everything is computed again from each draw of the bootstrap; errors are half of the interval that holds 68.3 % of the
draws. Slopes are derivatives by b = 1 / (k_B T), or by b = kappa of phi^4 fields. Curves are interpolated in b by
cubic polynomials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .errors import ResultsError
from .estimate import Estimate
from .reweighted import Curve, Reweighted, ReweightedSystem

# Exponent of the leading correction, by the dimension. In three dimensions it is 0.83 for Ising,
# 0.79 for XY and 0.76 for Heisenberg magnets. In two dimensions, the Ising magnet has only analytic
# corrections. In four dimensions, corrections are logarithms and have no exponent.
USUAL_OMEGA = {2: 1.75, 3: 0.8, 4: None}
# Symbols of parameters whose symbol is not their name.
SYMBOLS = {"temperature": "T"}
BINDER = "binder_cumulant"
# A crossing is clear if at least this fraction of the draws cross.
CLEAR = 0.95
# A number depends on the smallest size if it shifts by more than this number of errors without that
# size.
MOVED = 2.5
# Numbers that are tested for a dependence on the smallest size. All other numbers follow from them.
_TRIED = ("nu", "eta")


@dataclass(frozen=True, repr=False)
class Number(Estimate):
    """A number with its error; `value, error = number` unpacks it. degrees: degrees of freedom of its fit, chi2: weighted
    squares of the fit."""

    chi2: float = float("nan")
    degrees: int = 0


@dataclass(frozen=True)
class Crossing:
    """Crossing of the curves of two sizes: the temperature or kappa, and the value at the
    crossing."""

    first: float
    second: float
    parameter: Number
    value: Number


@dataclass(frozen=True)
class Cut:
    """A number that depends on the smallest size.

    name    "critical" or that of an exponent;
    length  edge of the omitted size;
    number  without this size
    sigmas  its shift, in errors of the difference
    """

    name: str
    length: float
    number: Number
    sigmas: float


@dataclass(frozen=True)
class Scaling:
    """Results of finite-size scaling.

    lengths      edges of the lattices, rising;
    observable   average whose curves cross;
    parameter    abscissa of the curves, "temperature" or "kappa";
    crossings    one for every two sizes whose curves cross clearly;
    critical     parameter at which all sizes lie on U + c L^(-omega), for two sizes their crossing; also called
                 T_c or kappa_c; critical_plain is fitted without the correction;
    at_critical  the observable there, for an infinite lattice;
    amplitude    c of the correction; 0 without a correction;
    conjugate    name of the average that belongs to the parameter: energy, or bond for kappa;
    energy       that average at the critical point, for an infinite lattice, by E + e L^(1/nu - d);
    omega        exponent of the correction; None: there is none;
    exponents    by name, from powers of L at the critical point times exp(a L^(-omega)): nu (from the slope of the
                 observable), nu_of_order (from that of ln <m^2>), eta, beta_over_nu, gamma_over_nu, beta, gamma;
                 for two sizes, or without a correction, from plain powers;
    exponents_plain  always from plain powers;
    order_amplitude  a of <m^2>; 0 without a correction;
    cuts         numbers that change, beyond their errors, if the smallest size is left out
    """

    lengths: list[float]
    dimensions: int
    observable: str
    order: str
    omega: float | None
    draws: int
    parameter: str
    unit: str
    crossings: list[Crossing]
    critical: Number
    critical_plain: Number
    at_critical: Number
    amplitude: Number
    conjugate: str
    energy: Number
    energy_unit: str
    exponents: dict[str, Number]
    exponents_plain: dict[str, Number]
    order_amplitude: Number
    cuts: list[Cut]

    @property
    def has_correction(self) -> bool:
        """Is there a correction, and enough sizes for it?"""
        return _is_corrected(self.omega, len(self.lengths))

    @property
    def symbol(self) -> str:
        """Symbol of the critical point: T_c or kappa_c."""
        return f"{SYMBOLS.get(self.parameter, self.parameter)}_c"

    def _critical_of(self, parameter: str) -> Number:
        if self.parameter != parameter:
            raise AttributeError(f"curves are functions of the {self.parameter}: the critical point is {self.symbol}")
        return self.critical

    @property
    def T_c(self) -> Number:
        """The critical temperature."""
        return self._critical_of("temperature")

    @property
    def kappa_c(self) -> Number:
        """The critical kappa."""
        return self._critical_of("kappa")

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, the critical point by its symbol and averages by their names; unknown numbers
        are None."""
        named = {"critical": self.symbol, "critical_plain": f"{self.symbol}_plain", "at_critical": f"at_{self.symbol}",
                 "unit": f"{self.parameter}_unit", "energy": self.conjugate, "energy_unit": f"{self.conjugate}_unit"}
        values = {named.get(name, name): value for name, value in asdict(self).items() if name != "conjugate"}
        values = _without_units(values)
        for crossing in values["crossings"]:
            crossing[self.parameter] = crossing.pop("parameter")
        return _without_nan(values)


class _Curves:
    """One average of one size, from the samples and from each draw, as functions of b."""

    def __init__(self, b: np.ndarray, curve: Curve, draws: int, transform=lambda x: x):
        # The inverse temperature b falls as the temperature rises, so the points are sorted.
        rising = np.argsort(b)
        self._b = b[rising]
        self._y = transform(np.vstack([curve.value, curve.draws[:draws]]))[:, rising]

    def at(self, b: np.ndarray) -> np.ndarray:
        """[1 + draws] each curve at its own b, interpolated from four points around it."""
        return self._sum(b, _lagrange)

    def on(self, grid: np.ndarray) -> np.ndarray:
        """[1 + draws, n] all curves at n common values of b."""
        places = self._places(grid)
        return np.einsum("gp,dgp->dg", _lagrange(self._b[places], grid), self._y[:, places])

    def slope(self, b: np.ndarray) -> np.ndarray:
        """Derivative of the curves by b."""
        return self._sum(b, _lagrange_slope)

    def _sum(self, b: np.ndarray, weights) -> np.ndarray:
        places = self._places(b)
        return np.sum(weights(self._b[places], b) * self._y[np.arange(len(b))[:, None], places], axis=1)

    def _places(self, b: np.ndarray) -> np.ndarray:
        first = np.clip(np.searchsorted(self._b, b) - 2, 0, len(self._b) - 4)
        return first[:, None] + np.arange(4)


def _lagrange(x: np.ndarray, at: np.ndarray) -> np.ndarray:
    weights = np.ones_like(x)
    for i in range(4):
        for j in range(4):
            if i != j:
                weights[:, i] *= (at - x[:, j]) / (x[:, i] - x[:, j])
    return weights


def _lagrange_slope(x: np.ndarray, at: np.ndarray) -> np.ndarray:
    weights = np.zeros_like(x)
    for i in range(4):
        others = [j for j in range(4) if j != i]
        scale = np.prod([x[:, i] - x[:, j] for j in others], axis=0)
        for left_out in others:
            j, k = (n for n in others if n != left_out)
            weights[:, i] += (at - x[:, j]) * (at - x[:, k]) / scale
    return weights


class _Size:
    """One lattice: its length and the curves for scaling."""

    def __init__(self, system: ReweightedSystem, reweighted: Reweighted, observable: str, draws: int):
        self.system = system
        self.length = system.length
        b = reweighted.weight(system.parameter)
        if len(b) < 4:
            option = "temperatures" if reweighted.parameter == "temperature" else reweighted.parameter
            raise ResultsError(f"{system.name}: curves of four points or more are needed; "
                               f"larmor reweight --{option} lowest:highest:number")
        self.lowest, self.highest = b.min(), b.max()
        self.value = _Curves(b, system.curves[observable], draws)
        slope = f"{observable}_slope"
        self.slope = _Curves(b, system.curves[slope], draws).at if slope in system.curves else self.value.slope
        self.energy = _Curves(b, system.curves[reweighted.conjugate], draws)
        self.log_order = _Curves(b, system.curves[f"{reweighted.order}_squared"], draws, np.log)
        self.log_slope = _Curves(b, system.curves[f"{reweighted.order}_log_slope"], draws)


def scale(files: Sequence[Reweighted], omega: float | None | str = "usual", observable: str = BINDER,
          lengths: Sequence[float] | None = None) -> Scaling:
    """Finite-size scaling of the systems of all files, which differ only in size.

    omega: exponent of the correction; None: there is none; "usual": that of the dimension
    lengths: edges of the sizes to use; None: all
    Raises ResultsError if there are fewer than two sizes, models differ, or curves do not cross.
    """
    reweighted = files[0]
    systems = systems_of(files, lengths)
    _require_sizes(files, systems, observable)
    dimensions = systems[0].dimensions
    if omega == "usual":
        omega = USUAL_OMEGA.get(dimensions, 0.8)
    draws = min(file.draws for file in files)
    sizes = [_Size(system, reweighted, observable, draws) for system in systems]
    unit, energy_unit = systems[0].parameter_unit, systems[0].curves[reweighted.conjugate].unit
    crossings, places = [], {}
    for small, large in combinations(range(len(sizes)), 2):
        b = _crossing(sizes[small], sizes[large], draws)
        if b is None:
            continue
        places[small, large] = b
        crossings.append(Crossing(sizes[small].length, sizes[large].length, _number(reweighted.weight(b), unit=unit),
                                  _number(_kept(sizes[large].value.at, b))))
    if not crossings:
        points = "temperatures" if reweighted.parameter == "temperature" else f"values of {reweighted.parameter}"
        raise ResultsError(f"{observable}: no two sizes cross clearly; sample {points} on either side of the "
                           "crossing, or more")
    # The crossing of the two largest sizes is nearest to the critical point, so the fit begins
    # there.
    begin = places[max(places, key=lambda pair: (sizes[pair[0]].length, sizes[pair[1]].length))]
    plain = _critical(sizes, begin, None)
    fit = _ScalingFit(sizes, begin, dimensions, omega)
    b = fit.critical.b
    exponents = _numbers(fit.exponents)
    # Exponent of the singular term of the energy at the critical point.
    fall = dimensions - 1 / exponents["nu"].value
    energy = _fit(_terms(sizes, lambda L: L**-fall), [_kept(size.energy.at, b) for size in sizes])
    return Scaling([size.length for size in sizes], dimensions, observable, reweighted.order, omega, draws,
                   reweighted.parameter, unit, crossings,
                   _number(reweighted.weight(b), fit.critical.chi2, fit.critical.degrees, unit),
                   _number(reweighted.weight(plain.b), plain.chi2, plain.degrees, unit), _number(fit.critical.value),
                   _number(fit.critical.amplitude), reweighted.conjugate, _number(energy[0][0], *energy[1:], energy_unit),
                   energy_unit, exponents,
                   _numbers(_exponents(sizes, b, dimensions, None)[0]), _number(fit.order_amplitude),
                   _cuts(reweighted, fit, sizes, begin, dimensions, omega))


def _is_corrected(omega: float | None, sizes: int) -> bool:
    return omega is not None and sizes > 2


class _ScalingFit:
    """The critical point and the exponents at it, from the samples and from each draw."""

    def __init__(self, sizes: list[_Size], begin: np.ndarray, dimensions: int, omega: float | None):
        used = omega if _is_corrected(omega, len(sizes)) else None
        self.critical = _critical(sizes, begin, used)
        self.exponents, self.order_amplitude = _exponents(sizes, self.critical.b, dimensions, used)


def _cuts(reweighted: Reweighted, fit: _ScalingFit, sizes: list[_Size], begin: np.ndarray, dimensions: int,
          omega: float | None) -> list[Cut]:
    """Numbers that shift beyond their errors if the smallest size is left out."""
    if len(sizes) < (4 if omega is not None else 3):
        return []
    try:
        other = _ScalingFit(sizes[1:], begin, dimensions, omega)
    except ResultsError:
        return []
    pairs = {"critical": ((reweighted.weight(fit.critical.b), fit.critical.chi2, fit.critical.degrees),
                          (reweighted.weight(other.critical.b), other.critical.chi2, other.critical.degrees)),
             **{name: (fit.exponents[name], other.exponents[name]) for name in _TRIED}}
    found = []
    for name, (all_sizes, fewer) in pairs.items():
        moved = _number(fewer[0] - all_sizes[0])
        if np.isfinite(moved.error) and abs(moved.value) > MOVED * moved.error:
            found.append(Cut(name, sizes[0].length, _number(*fewer), abs(moved.value) / moved.error))
    return found


def _exponents(sizes: list[_Size], b: np.ndarray, dimensions: int,
               omega: float | None) -> tuple[dict[str, tuple], np.ndarray]:
    """Exponents by name [1 + draws], with chi^2 and degrees of freedom if they come from one fit; and the amplitude
    of the correction of <m^2>."""
    terms = _terms(sizes, np.log, *([] if omega is None else [lambda L: L**-omega]))

    def power(log_of) -> tuple[np.ndarray, float, int]:
        return _fit(terms, [_kept(lambda x, size=size: log_of(size, x), b) for size in sizes])

    slopes, *of_y = power(lambda size, x: np.log(np.abs(size.slope(x))))
    slopes_of_order, *of_y_order = power(lambda size, x: np.log(size.log_slope.at(x)))
    falls, *of_fall = power(lambda size, x: size.log_order.at(x))
    nu, two_beta = 1 / slopes[1], -falls[1]
    gamma_over_nu = dimensions - two_beta
    return {
        "nu": (nu, *of_y),
        "nu_of_order": (1 / slopes_of_order[1], *of_y_order),
        "eta": (two_beta + 2 - dimensions, *of_fall),
        "beta_over_nu": (two_beta / 2, *of_fall),
        "gamma_over_nu": (gamma_over_nu, *of_fall),
        "beta": (two_beta / 2 * nu,),
        "gamma": (gamma_over_nu * nu,),
    }, np.zeros_like(b) if omega is None else falls[2]


def _numbers(exponents: dict[str, tuple]) -> dict[str, Number]:
    return {name: _number(*found) for name, found in exponents.items()}


def systems_of(files: Sequence[Reweighted], lengths: Sequence[float] | None = None) -> list[ReweightedSystem]:
    """The systems of all files by rising size. @param lengths edges of the sizes to use; None: all
    Raises ResultsError for a length that no system has."""
    systems = sorted((system for file in files for system in file.systems), key=lambda system: system.sites)
    if lengths is None:
        return systems
    there = [system.length for system in systems if system.length is not None]
    for length in lengths:
        if not any(np.isclose(length, other) for other in there):
            raise ResultsError(f"there is no size {length:.6g}; there are {', '.join(f'{L:.6g}' for L in there)}")
    return [system for system in systems if system.length is not None and np.any(np.isclose(system.length, lengths))]


def _require_sizes(files: Sequence[Reweighted], systems: list[ReweightedSystem], observable: str) -> None:
    if len({(file.order, file.parameter, file.k_B) for file in files}) > 1:
        raise ResultsError("files have different order parameters or units, or curves of temperatures and of kappa")
    for system in systems:
        if system.length is None:
            raise ResultsError("finite-size scaling needs lattices, not graphs of sites")
        if observable not in system.curves:
            raise ResultsError(f"{system.name}: there is no curve '{observable}'; it has {', '.join(system.curves)}")
        here, first = (_but_size(s) for s in (system, systems[0]))
        if here != first:
            differ = sorted({line.split(" = ")[0] for line in here ^ first})
            raise ResultsError(f"systems differ in more than their size: {', '.join(differ)}")
    lengths = [system.length for system in systems]
    if len(set(lengths)) < len(lengths):
        raise ResultsError("files contain a size twice: reweight all files of this size together")
    if len(lengths) < 2:
        raise ResultsError("finite-size scaling needs two sizes or more: scan lattice.size, or name several files")


def _but_size(system: ReweightedSystem) -> set[str]:
    return {line for line in system.model if not line.startswith(("lattice.size = ", "lattice.grid = "))}


def _kept(function, b: np.ndarray) -> np.ndarray:
    """function(b) if b is known, or else NaN."""
    known = np.isfinite(b)
    values = function(np.where(known, b, b[0]))
    return np.where(known, values, np.nan)


def _number(values: np.ndarray, chi2: float = float("nan"), degrees: int = 0, unit: str = "") -> Number:
    """@param values the value of the samples first, then the value of each draw"""
    known = values[1:][np.isfinite(values[1:])]
    if len(known) < CLEAR * len(values[1:]):
        return Number(float(values[0]), float("nan"), unit, chi2=float(chi2), degrees=degrees)
    low, high = np.percentile(known, [15.865, 84.135])
    return Number(float(values[0]), float(high - low) / 2, unit, chi2=float(chi2), degrees=degrees)


def _crossing(small: _Size, large: _Size, draws: int) -> np.ndarray | None:
    """[1 + draws] values of b at which the larger lattice becomes the more ordered one; None: there
    is no clear crossing."""
    low, high = max(small.lowest, large.lowest), min(small.highest, large.highest)
    if low >= high:
        return None
    grid = np.linspace(low, high, 201)
    difference = large.value.on(grid) - small.value.on(grid)
    error = np.std(difference[1:], axis=0) + 1e-12 * np.max(np.abs(difference))
    # Finds the place that best separates negative from positive differences.
    parted = np.cumsum(difference / error, axis=1)
    balance = parted[:, -1:] - 2 * parted[:, :-1]
    place = np.argmax(balance, axis=1)
    rows = np.arange(1 + draws)
    before = np.where(np.arange(len(grid)) <= place[:, None], difference, np.inf)
    after = np.where(np.arange(len(grid)) > place[:, None], difference, -np.inf)
    # Noise may let curves cross several times near this place. The bracket contains all crossings.
    left = np.argmax(np.where(before < 0, np.arange(len(grid)), -1), axis=1)
    right = np.argmin(np.where(after > 0, np.arange(len(grid)), len(grid)), axis=1)
    crosses = (difference[rows, left] < 0) & (difference[rows, right] > 0) & (left < right)
    if not crosses[0] or np.mean(crosses[1:]) < CLEAR:
        return None
    # Tests whether the difference is clear on either side of the crossing.
    at = place[0]
    if np.min((difference[0] / error)[:at + 1]) > -2 or np.max((difference[0] / error)[at + 1:]) < 2:
        return None
    lower, upper = grid[left], grid[right]
    for _ in range(60):
        middle = (lower + upper) / 2
        above = large.value.at(middle) > small.value.at(middle)
        lower, upper = np.where(above, lower, middle), np.where(above, middle, upper)
    return np.where(crosses, (lower + upper) / 2, np.nan)


@dataclass(frozen=True)
class _Critical:
    """b [1 + draws] of the critical point, U and c at it, and the quality of the fit of the
    samples."""

    b: np.ndarray
    value: np.ndarray
    amplitude: np.ndarray
    chi2: float
    degrees: int


def _critical(sizes: list[_Size], begin: np.ndarray, omega: float | None) -> _Critical:
    """b at which the values of all sizes come nearest to U + c L^(-omega), by Gauss-Newton steps.
    Raises ResultsError if this b lies outside the curves."""
    terms = _terms(sizes, *([] if omega is None else [lambda L: L**-omega]))
    middle = np.full_like(begin, begin[0])
    weight = 1 / np.array([np.std(size.value.at(middle)[1:]) for size in sizes])
    fit = np.linalg.pinv(weight[:, None] * terms)
    rest = np.eye(len(sizes)) - (weight[:, None] * terms) @ fit
    low, high = max(size.lowest for size in sizes), min(size.highest for size in sizes)
    b = np.where(np.isfinite(begin), begin, begin[0])
    for _ in range(50):
        off = np.stack([size.value.at(b) for size in sizes]) * weight[:, None]
        slope = np.stack([size.slope(b) for size in sizes]) * weight[:, None]
        off, slope = rest @ off, rest @ slope
        step = -np.sum(off * slope, axis=0) / np.sum(slope * slope, axis=0)
        b = np.clip(b + np.clip(step, -(high - low) / 10, (high - low) / 10), low, high)
        if np.all(np.abs(step) < 1e-13 * np.abs(b)):
            break
    # If the fit of a draw stops at an end of the curves, the draw has no result.
    b = np.where((b > low) & (b < high), b, np.nan)
    if np.isnan(b[0]):
        raise ResultsError("the critical point lies outside the range that the curves of all sizes share")
    values = np.stack([_kept(size.value.at, b) for size in sizes]) * weight[:, None]
    chi2 = float(np.sum((rest @ values)[:, 0] ** 2))
    found = fit @ values
    amplitude = np.zeros_like(b) if omega is None else found[1]
    return _Critical(b, found[0], amplitude, chi2, len(sizes) - terms.shape[1] - 1)


def _terms(sizes: list[_Size], *functions) -> np.ndarray:
    """[sizes, 1 + functions]: 1, and functions of the lengths."""
    return np.array([[1.0, *(function(size.length) for function in functions)] for size in sizes])


def _fit(terms: np.ndarray, values: list[np.ndarray]) -> tuple[np.ndarray, float, int]:
    """Coefficients [terms, 1 + draws], chi^2 of the samples and degrees of freedom. @param values one for each size"""
    y = np.stack(values)
    weight = 1 / np.nanstd(y[:, 1:], axis=1)
    found = np.linalg.pinv(weight[:, None] * terms) @ (weight[:, None] * y)
    chi2 = float(np.sum((weight * (y[:, 0] - terms @ found[:, 0])) ** 2))
    return found, chi2, len(y) - terms.shape[1]


def _without_units(value: Any) -> Any:
    """Numbers as dictionaries without units and names, which the table has in entries of their own."""
    if isinstance(value, dict):
        left_out = ("unit", "name") if "chi2" in value else ()
        return {key: _without_units(entry) for key, entry in value.items() if key not in left_out}
    return [_without_units(entry) for entry in value] if isinstance(value, list) else value


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_without_nan(entry) for entry in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
