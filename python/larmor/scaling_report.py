"""What finite-size scaling found, in words."""

from __future__ import annotations

import numpy as np

from .labels import with_error
from .scaling import Number, Scaling

_SYMBOLS = {"nu": "nu", "nu_of_order": "nu by ln <m^2>", "eta": "eta", "beta_over_nu": "beta / nu",
            "gamma_over_nu": "gamma / nu", "beta": "beta", "gamma": "gamma"}


def report(found: Scaling) -> str:
    """Lines to print."""
    unit = f" {found.unit}" if found.unit else ""
    lines = [f"sizes {', '.join(f'{length:.6g}' for length in found.lengths)}; errors by {found.draws} draws"]
    lines.append(f"crossings of {found.observable}: {found.parameter}, value")
    for crossing in found.crossings:
        lines.append(f"  {crossing.first:>4.6g} and {crossing.second:<4.6g} {_text(crossing.parameter):>14}{unit} "
                     f"{_text(crossing.value):>14}")
    if found.omega is not None and len(found.lengths) > 2:
        lines.append(f"{found.symbol} = {_text(found.critical)}{unit}   all sizes on U + c L^(-{found.omega:g}), "
                     f"U = {_text(found.at_critical)}{_quality(found.critical, '; ')}")
        lines.append(f"{' ' * len(found.symbol)}   {_text(found.critical_plain)}{unit}   without the correction{_quality(found.critical_plain, '; ')}")
    else:
        lines.append(f"{found.symbol} = {_text(found.critical)}{unit}   without a correction, U = {_text(found.at_critical)}"
                     f"{_quality(found.critical, '; ')}")
    energy_unit = f" {found.energy_unit}" if found.energy_unit else ""
    letter = found.conjugate[0]
    of_site = " a site" if found.parameter == "temperature" else ""
    lines.append(f"{found.conjugate} at {found.symbol} = {_text(found.energy)}{energy_unit}{of_site}, by "
                 f"{letter.upper()} + {letter} L^(1/nu - {found.dimensions}){_quality(found.energy, '; ')}")
    head = f"exponents at {found.symbol}, by powers of L"
    if found.corrected is not None:
        head += f"; times 1 + a L^(-{found.omega:g})"
    lines.append(head)
    for name, number in found.exponents.items():
        line = f"  {_SYMBOLS[name]:<15} {_text(number):>12} {_quality(number):<18}"
        if found.corrected is not None:
            other = found.corrected[name]
            line += f" {_text(other):>12} {_quality(other)}"
        lines.append(line.rstrip())
    return "\n".join(lines)


def _text(number: Number) -> str:
    known = with_error(number.value, number.error)
    return known if np.isfinite(number.error) else f"{known} (no error)"


def _quality(number: Number, before: str = "") -> str:
    if not np.isfinite(number.chi2) or number.degrees < 1:
        return ""
    return f"{before}chi^2 / dof = {number.chi2:.3g} / {number.degrees}"
