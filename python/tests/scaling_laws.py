"""Makes curves by the laws of finite-size scaling, with a known critical temperature and exponents."""

import h5py
import larmor
import numpy as np
from larmor.scaling import scale

E_C = -0.99
T_C, NU, BETA_OVER_NU, OMEGA, U_C, AMPLITUDE = 4.5, 0.63, 0.518, 0.83, 0.465, 0.12
DRAWS = 150
TEMPERATURE = np.linspace(4.45, 4.55, 41)


def add_curve(group, name, value, draws):
    curve = group.create_group(f"curves/{name}")
    curve["value"], curve["draws"] = value, draws
    curve["error"] = np.std(draws, axis=0)


def add_size(file, number, length, noise=1e-3, seed=0, correction=AMPLITUDE, of_order=0.0, critical=T_C,
             dimensions=3, model="exchange.1.J = 1.0", temperature=TEMPERATURE, draws=DRAWS):
    """One lattice. noise: noise of the Binder cumulant; within a draw it is equal at all temperatures"""
    random = np.random.default_rng([seed, int(length)])
    group = file.create_group(f"reweighted/systems/{number:02}")
    group.attrs.update(name=f"lattice.size = [{length}, {length}, {length}]", sites=int(length)**dimensions,
                       dimensions=dimensions)
    edges = [length] * dimensions + [1] * (3 - dimensions)
    group["size"] = np.array(edges)
    group["model"] = np.array([model, f"lattice.size = {edges}"], dtype=h5py.string_dtype())
    group["temperature"] = temperature
    group["reliable"] = np.ones(len(temperature))
    group["effective_samples"] = np.full(len(temperature), 1e4)
    for name in ("samples", "autocorrelation_time", "blocks", "free_energy", "overlap", "reliable"):
        group[f"states/{name}"] = np.ones(3)
    group["states/temperature"] = temperature[[0, len(temperature) // 2, -1]]

    b = 1 / temperature
    growth = length ** (1 / NU)
    x = (b * critical - 1) * growth

    def curves(name, value, spread):
        # The first number is the deviation of the samples themselves.
        off = noise * random.standard_normal(1 + draws)[:, None] * spread
        add_curve(group, name, value + off[0], value + off[0] + off[1:])

    squared = 1.0 * length ** (-2 * BETA_OVER_NU) * np.exp(0.6 * x) * (1 + of_order * length**-OMEGA)
    slope = 0.1 * critical * growth / np.cosh(0.5 * x) ** 2
    curves("binder_cumulant", U_C + 0.2 * np.tanh(0.5 * x) + correction * length**-OMEGA, 1)
    curves("binder_cumulant_slope", slope, slope)
    curves("magnetisation_squared", squared, squared)
    curves("magnetisation_log_slope", np.full_like(b, 0.6 * critical * growth), growth)
    curves("energy", E_C + 0.7 * length ** (1 / NU - 3) + 1.5 * (temperature - T_C), 0.1)
    for name in ("magnetisation", "susceptibility", "specific_heat"):
        curves(name, np.sqrt(squared), 0.1)


def write(path, lengths=(8, 12, 16, 24), draws=DRAWS, **options):
    with h5py.File(path, "w") as file:
        file.attrs.update(format="larmor-results", format_version=6, title="Known laws", units="reduced")
        file.create_group("reweighted").attrs.update(order="magnetisation", draws=draws, k_B=1.0, energy_unit="")
        file["reweighted/files"] = np.array(["known.h5"], dtype=h5py.string_dtype())
        for number, length in enumerate(lengths, start=1):
            add_size(file, number, length, draws=draws, **options)
    return path


def found_in(path, *arguments, **options):
    with larmor.open(path) as results:
        return scale([results.reweighted], *arguments, **options)
