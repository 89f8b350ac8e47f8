"""Report of finite-size scaling in words."""

from __future__ import annotations

import numpy as np

from .labels import with_error
from .scaling import Cut, Number, Scaling

_SYMBOLS = {"nu": "nu", "nu_of_order": "nu by ln <m^2>", "eta": "eta", "beta_over_nu": "beta / nu",
            "gamma_over_nu": "gamma / nu", "beta": "beta", "gamma": "gamma"}


def report(found: Scaling) -> str:
    """Lines to print."""
    unit = f" {found.unit}" if found.unit else ""
    lines = [f"sizes {', '.join(f'{length:.6g}' for length in found.lengths)}; errors by {found.draws} draws"]
    lines.append(_words_of_correction(found))
    lines.append(f"crossings of {found.observable}: {found.parameter}, value")
    for crossing in found.crossings:
        lines.append(f"  {crossing.first:>4.6g} and {crossing.second:<4.6g} {_text(crossing.parameter):>14}{unit} "
                     f"{_text(crossing.value):>14}")
    if found.has_correction:
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
    lines += _lines_of_exponents(found)
    lines += [_words_of_cut(found, cut) for cut in found.cuts]
    return "\n".join(lines)


def _words_of_correction(found: Scaling) -> str:
    if found.omega is None:
        return "no correction to scaling"
    if not found.has_correction:
        return "no correction to scaling: it needs three sizes"
    return (f"correction to scaling: omega = {found.omega:g} is given, not fitted; --omega gives another value, "
            "and --omega none leaves the correction out")


def _lines_of_exponents(found: Scaling) -> list[str]:
    if not found.has_correction:
        return [f"exponents at {found.symbol}, by powers of L"] + [
            f"  {_SYMBOLS[name]:<15} {_text(number):>12} {_quality(number)}".rstrip()
            for name, number in found.exponents.items()]
    lines = [f"exponents at {found.symbol}, by powers of L times exp(a L^(-{found.omega:g})); by powers alone"]
    for name, number in found.exponents.items():
        plain = found.exponents_plain[name]
        lines.append(f"  {_SYMBOLS[name]:<15} {_text(number):>12} {_quality(number):<22} {_text(plain):>12} "
                     f"{_quality(plain)}".rstrip())
    return lines


def _words_of_cut(found: Scaling, cut: Cut) -> str:
    name = found.symbol if cut.name == "critical" else _SYMBOLS[cut.name]
    rest = ",".join(f"{length:.6g}" for length in found.lengths[1:])
    return (f"warning: without L = {cut.length:.6g} {name} is {_text(cut.number)}, {cut.sigmas:.2g} errors away; "
            f"that size is too small, so compare --sizes {rest}")


def _text(number: Number) -> str:
    known = with_error(number.value, number.error)
    return known if np.isfinite(number.error) else f"{known} (no error)"


def _quality(number: Number, before: str = "") -> str:
    if not np.isfinite(number.chi2) or number.degrees < 1:
        return ""
    return f"{before}chi^2 / dof = {number.chi2:.3g} / {number.degrees}"
