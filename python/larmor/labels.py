"""Axis labels: names, symbols and units for print."""

from __future__ import annotations

from dataclasses import dataclass

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
    "Å^3": (1.0, r"Å$^3$"),
    "kJ/m^3": (1.0, r"kJ/m$^3$"),
    "rad/ps": (HBAR_MEV_PS, "meV"),
    "THz": (H_MEV_PS, "meV"),
}


@dataclass(frozen=True)
class Quantity:
    """Name of a quantity on an axis."""

    words: str
    symbol: str
    per_site: bool = False


QUANTITIES = {
    "energy": Quantity("Energy", "$E$", per_site=True),
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
    "barrier_forward": Quantity("Barrier forward", ""),
    "barrier_backward": Quantity("Barrier backward", ""),
    "coercive_field": Quantity("Coercive field", "$B_c$"),
    "coercive_field_falling": Quantity("Coercive field, falling", ""),
    "coercive_field_rising": Quantity("Coercive field, rising", ""),
    "saturation_field": Quantity("Saturation field", "$B_s$"),
    "remanence": Quantity("Remanence", "", per_site=True),
    "energy_product": Quantity("Energy product", r"$(BH)_\mathrm{max}$"),
    "temperature": Quantity("Temperature", "$T$"),
    "pressure": Quantity("Pressure", "$P$"),
    "volume": Quantity("Volume", "$V$"),
    "magnetisation_along": Quantity("Magnetisation along $B$", "", per_site=True),
}


def shown_unit(unit: str) -> tuple[float, str]:
    """Factor from a stored unit to the unit shown, and the text of the unit shown."""
    return _SHOWN.get(unit, (1.0, unit))


def label(quantity: Quantity, unit: str) -> str:
    """Words, symbol, and the text in the brackets: "Energy $E$ (meV per site)"."""
    name = f"{quantity.words} {quantity.symbol}".strip()
    bracket = shown_unit(unit)[1]
    if quantity.per_site:
        bracket = f"{bracket} per site".strip()
    return f"{name} ({bracket})" if bracket else name


def average_label(name: str, unit: str) -> str:
    """Axis label of an average or series."""
    words = name.replace("_", " ").capitalize()
    return label(QUANTITIES.get(name, Quantity(words, "")), unit)


def temperature_label(unit: str) -> str:
    """Label of a temperature. Reduced units have no kelvin, so the axis is k_B T in the unit of the
    couplings."""
    return f"Temperature $T$ ({unit})" if unit else r"Temperature $k_\mathrm{B}T$"


def parameter_label(name: str, unit: str) -> str:
    """Label of the axis of averages: the temperature, a field, or a coupling such as kappa."""
    if name == "field":
        return f"Field ({unit})" if unit else "Field"
    return temperature_label(unit) if name == "temperature" else rf"$\{name}$"


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
