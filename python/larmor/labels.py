"""Texts of axes and titles: names, symbols and units of quantities, and numbers with errors."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, replace

import numpy as np

# hbar = 6.582119569509066e-16 eV s and h = 2 pi hbar, CODATA 2018.
HBAR_MEV_PS = 0.6582119569509066
H_MEV_PS = 2 * np.pi * HBAR_MEV_PS

# Stored unit -> (factor to the unit shown, unit shown). A unit that is not listed is shown
# unchanged.
_SHOWN = {
    "eV": (1e3, "meV"),
    "μB": (1.0, r"$\mu_\mathrm{B}$"),
    "μB/T": (1.0, r"$\mu_\mathrm{B}\,\mathrm{T}^{-1}$"),
    "k_B": (1.0, r"$k_\mathrm{B}$"),
    "A^3": (1.0, r"Å$^3$"),
    "rad/ps": (HBAR_MEV_PS, "meV"),
    "THz": (H_MEV_PS, "meV"),
}
# From this magnitude on, energies are shown in eV.
_EV = 1.0


@dataclass(frozen=True)
class Quantity:
    """Name of a quantity on an axis."""

    words: str
    symbol: str
    per_site: bool = False


QUANTITIES = {
    "energy": Quantity("Energy", "$E$", per_site=True),
    "potential_energy": Quantity("Potential energy", "$U$"),
    "kinetic_energy": Quantity("Kinetic energy", "$K$"),
    "total_energy": Quantity("Total energy", "$E$"),
    "conserved_quantity": Quantity("Conserved", "$H$"),
    "enthalpy": Quantity("Enthalpy", "$H$"),
    "magnetisation": Quantity("Magnetisation", r"$\langle |M| \rangle$", per_site=True),
    "specific_heat": Quantity("Specific heat", "$C$", per_site=True),
    "configurational_specific_heat": Quantity("Specific heat", "$C_U$", per_site=True),
    "susceptibility": Quantity("Susceptibility", r"$\chi$", per_site=True),
    "free_energy": Quantity("Free energy", "$F$", per_site=True),
    "entropy": Quantity("Entropy", "$S$", per_site=True),
    "action": Quantity("Action", "$S$", per_site=True),
    "bond": Quantity("Bond", r"$\langle \phi_x \phi_{x+\mu} \rangle$"),
    "bond_slope": Quantity("Derivative of the bond by", r"$\kappa$"),
    "binder_cumulant": Quantity("Binder cumulant", "$U_4$"),
    "acceptance": Quantity("Acceptance", ""),
    "barrier": Quantity("Barrier", r"$\Delta E$"),
    "barrier_forward": Quantity("Barrier forward", r"$\Delta E$"),
    "barrier_backward": Quantity("Barrier backward", r"$\Delta E$"),
    "coercive_field": Quantity("Coercive field", "$B_c$"),
    "coercive_field_falling": Quantity("Coercive field, falling", "$B_c$"),
    "coercive_field_rising": Quantity("Coercive field, rising", "$B_c$"),
    "saturation_field": Quantity("Saturation field", "$B_s$"),
    "remanence": Quantity("Remanence", "$M_r$", per_site=True),
    "energy_product": Quantity("Energy product", r"$(BH)_\mathrm{max}$"),
    "temperature": Quantity("Temperature", "$T$"),
    "spin_temperature": Quantity("Spin temperature", r"$T_\mathrm{s}$"),
    "pressure": Quantity("Pressure", "$P$"),
    "volume": Quantity("Volume", "$V$"),
    "cell_a": Quantity("Edge of the box", "$a$"),
    "cell_b": Quantity("Edge of the box", "$b$"),
    "cell_c": Quantity("Edge of the box", "$c$"),
    "largest_force": Quantity("Largest force", r"$F_\mathrm{max}$"),
    "largest_torque": Quantity("Largest torque", ""),
    "topological_charge": Quantity("Topological charge", "$Q$"),
    "autocorrelation": Quantity("Autocorrelation", ""),
    "magnetisation_along": Quantity("Magnetisation along $B$", "", per_site=True),
    "overlap_square": Quantity("Square of the overlap", r"$\langle q^2 \rangle$"),
    "overlap_binder": Quantity("Overlap, Binder cumulant", "$g$"),
    "link_overlap": Quantity("Link overlap", r"$q_\mathrm{link}$"),
    "correlation_length_ratio": Quantity("Correlation length", r"$\xi / L$"),
}

# A series has the values of single moments, of which it shows no averages.
_IN_SERIES = {"magnetisation": "$M$"}

# Last word of a key in a study -> its words and symbol.
_KEYS = {
    "temperature": ("Temperature", "$T$"),
    "size": ("Size of the lattice", "$L$"),
    "grid": ("Size of the lattice", "$L$"),
    "kappa": ("Hopping parameter", r"$\kappa$"),
    "Gamma": ("Transverse field", r"$\Gamma$"),
    "B": ("Field", "$B$"),
    "field": ("Field", "$B$"),
    "h": ("Field", "$h$"),
    "K": ("Anisotropy", "$K$"),
    "J": ("Exchange", "$J$"),
    "D": ("Dzyaloshinskii-Moriya coupling", "$D$"),
    "damping": ("Damping", r"$\alpha$"),
    "time_step": ("Time step", r"$\Delta t$"),
    "pressure": ("Pressure", "$P$"),
    "states": ("States", "$q$"),
}
# The entries of a vector, by their numbers in a key.
_COMPONENTS = {"1": "x", "2": "y", "3": "z"}
_VECTORS = ("B", "h", "D")
# Keys that need no number of their table.
_OF_ALL = ("temperature", "size", "grid", "kappa", "B")


def shown_unit(unit: str, values: np.ndarray | None = None) -> tuple[float, str]:
    """Factor from a stored unit to the unit shown, and the text of the unit shown.

    values  numbers in the stored unit, of any shape; energies of 1 eV and more are shown in eV, others in meV
    """
    if unit == "eV" and values is not None and _largest(values) >= _EV:
        return 1.0, "eV"
    if unit in _SHOWN:
        return _SHOWN[unit]
    raised = re.sub(r"\^(-\d+|\d\d+)", r"$^{\1}$", unit.replace("A^", "Å^"))
    return 1.0, re.sub(r"\^(\d)", r"$^\1$", raised)


def _largest(values: np.ndarray) -> float:
    """Largest known magnitude; 0 if none is known."""
    values = np.abs(np.asarray(values, dtype=float))
    return float(np.max(values, where=np.isfinite(values), initial=0.0))


def label(quantity: Quantity, unit: str, values: np.ndarray | None = None, site: str = "site") -> str:
    """Words, symbol, and the text in the brackets: "Energy $E$ (meV per site)".

    values  as for `shown_unit`
    site    the word for the sites of the model, "site" or "atom"
    """
    name = f"{quantity.words} {quantity.symbol}".strip()
    bracket = shown_unit(unit, values)[1]
    if quantity.per_site:
        bracket = f"{bracket} per {site}".strip()
    return f"{name} ({bracket})" if bracket else name


def quantity_of(name: str) -> Quantity:
    """The quantity of an average or series; for a name that is not known, its words."""
    return QUANTITIES.get(name, Quantity(name.replace("_", " ").capitalize(), ""))


def average_label(name: str, unit: str, values: np.ndarray | None = None, site: str = "site") -> str:
    """Axis label of an average."""
    return label(quantity_of(name), unit, values, site)


def series_label(name: str, unit: str, values: np.ndarray | None = None, site: str = "site",
                 is_length: bool = False) -> str:
    """Axis label of a series, whose values belong to single moments.

    is_length: are the lengths of vectors drawn?
    """
    quantity = quantity_of(name)
    symbol = _IN_SERIES.get(name, quantity.symbol)
    if is_length:
        symbol = f"$|{symbol.strip('$')}|$" if symbol else ""
    return label(replace(quantity, symbol=symbol), unit, values, site)


def temperature_label(unit: str) -> str:
    """Label of a temperature. Reduced units have no kelvin, so the axis is k_B T in the unit of the
    couplings."""
    return f"Temperature $T$ ({unit})" if unit else r"Temperature $k_\mathrm{B}T$"


def temperature_text(value: float, unit: str) -> str:
    """"$T$ = 300 K"; in reduced units "$k_\\mathrm{B}T$ = 0.5"."""
    return f"$T$ = {value:.6g} {unit}" if unit else rf"$k_\mathrm{{B}}T$ = {value:.6g}"


def parameter_label(name: str, unit: str) -> str:
    """Label of the axis of averages: the temperature, a field, or a coupling such as kappa."""
    if name == "field":
        return field_label(unit)
    if name == "temperature":
        return temperature_label(unit)
    words, symbol = _KEYS.get(name, ("Coupling", rf"$\{name}$"))
    return f"{words} {symbol}"


def with_unit(name: str, unit: str) -> str:
    """"energy (eV)"; only the name without a unit."""
    return f"{name} ({unit})" if unit else name


def with_error(value: float, error: float) -> str:
    """"1.443(2)", with the error of the last digits in brackets."""
    if not np.isfinite(error) or error <= 0:
        return f"{value:.6g}"
    # The error is rounded to two digits first: 0.00997 becomes 0.010.
    digits = max(0, 1 - int(np.floor(np.log10(float(f"{error:.1e}")))))
    return f"{value:.{digits}f}({error * 10**digits:.0f})"


def field_label(unit: str) -> str:
    """Label of a field, with its unit; reduced units have none."""
    return f"Field $B$ ({unit})" if unit else "Field $B$"


def frequency_label(unit: str) -> str:
    """Label of a frequency that is stored in `unit` and drawn after multiplication by the factor of
    `shown_unit`."""
    if not unit:
        return r"Frequency $\omega$"
    shown = shown_unit(unit)[1]
    return rf"Energy $\hbar\omega$ ({shown})" if shown == "meV" else f"Frequency ({shown})"


@dataclass(frozen=True)
class KeyName:
    """Name of a scanned key: its words and its symbol, either of which may be empty, and its unit."""

    words: str
    symbol: str
    unit: str

    @property
    def label(self) -> str:
        """Text of an axis: "Field $B_z$ (T)"."""
        if self.words == "Temperature":
            return temperature_label(self.unit)
        name = f"{self.words} {self.symbol}".strip()
        # Values of a key are drawn in the unit of the study.
        factor, shown = shown_unit(self.unit)
        unit = shown if factor == 1 else self.unit
        return f"{name} ({unit})" if unit else name

    def equals(self, value: str) -> str:
        """Text of a legend: "$B_z$ = 0.5 T"."""
        symbol = self.symbol or self.words
        if self.words == "Temperature" and not self.unit:
            symbol = r"$k_\mathrm{B}T$"
        return f"{symbol} = {value} {self.unit}".rstrip()


def key_name(key: str, unit: str = "") -> KeyName:
    """Name of a key of a study: "Field $B_z$" for field.B.3, "Stage 1: sweeps" for stage.1.sweeps.

    The number of a table is left out if the key has a symbol and the table is the first.
    """
    *tables, last = key.split(".")
    component = ""
    if last.isdigit() and tables:
        component = last
        *tables, last = tables
    if last in _VECTORS:
        component = _COMPONENTS.get(component, component)
    if last not in _KEYS:
        words = f"{last} {component}".strip()
        owner = " ".join(tables)
        plain = re.sub("[_-]", " ", f"{owner}: {words}" if owner else words)
        return KeyName(plain[:1].upper() + plain[1:], "", unit)
    words, symbol = _KEYS[last]
    number = tables[-1] if tables and tables[-1].isdigit() else "1"
    if number != "1" and last not in _OF_ALL:
        words += f" of stage {number}" if tables[0] == "stage" else f" {number}"
        component = component if tables[0] == "stage" else f"{number}{component}"
    if component:
        symbol = rf"${symbol.strip('$')}_{{{component}}}$" if len(component) > 1 else f"${symbol.strip('$')}_{component}$"
    return KeyName(words, symbol, unit)


def plain_title(title: str) -> str:
    """A title with escaped $, since matplotlib reads text between two $ as mathematics."""
    return title.replace("$", r"\$")


def wrapped(title: str, characters: int) -> str:
    """The title with lines of at most this number of characters. Lines with mathematics stay whole."""
    def fits(line: str) -> bool:
        return len(re.sub(r"\\[a-z]+|[\\${}^_]", "", line)) <= characters

    lines = []
    for line in title.splitlines():
        whole = fits(line) or re.search(r"(?<!\\)\$", line)
        lines += [line] if whole else textwrap.wrap(line, characters)
    return "\n".join(lines)


def common_ends(names: list[str]) -> tuple[int, int]:
    """Numbers of characters that all names share at their beginnings and at their ends.

    Only whole words count, which end at one of / . _ - or a space.
    """
    def shared(texts: list[str], ends: str) -> int:
        first, last = min(texts), max(texts)
        same = next((n for n, (a, b) in enumerate(zip(first, last)) if a != b), min(len(first), len(last)))
        while same > 0 and first[same - 1] not in ends:
            same -= 1
        return same

    if len(names) < 2:
        return 0, 0
    front = shared(names, "/._- ")
    back = shared([name[front:][::-1] for name in names], "/.")
    return front, back
