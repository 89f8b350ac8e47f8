"""Writes small results files whose content is known, in the format of docs/results-format.md."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

SQUARE = np.eye(3)
TRIANGULAR = np.array([[1, 0, 0], [0.5, np.sqrt(0.75), 0], [0, 0, 1]])


def create(path: Path, units: str = "reduced", title: str = "Square ferromagnet") -> h5py.File:
    """A file with its header and no stage."""
    file = h5py.File(path, "w")
    file.attrs.update(format="larmor-results", format_version=6, title=title, units=units)
    file["study/text"] = 'title = "Square ferromagnet"\n'
    file["study/completed"] = 'title = "Square ferromagnet"\nseed = 1\n'
    file.create_group("provenance").attrs.update(seed=7)
    for leg in ("01", "02"):
        file.create_group(f"provenance/legs/{leg}").attrs.update(version="0.1.0", device=f"cpu {leg}")
    file.create_group("stages")
    return file


def add_model(file: h5py.File, size: tuple[int, int, int] = (4, 3, 1), cell: np.ndarray = SQUARE,
              basis: np.ndarray = np.zeros((1, 3)), length_unit: str = "",
              layers: list[int] | None = None, layers_per_cell: int = 1,
              periodic: tuple[int, int, int] = (1, 1, 0)) -> np.ndarray:
    """Writes /model with one species; returns the positions, [N, 3] in canonical order.

    layers: layer of each site of the first cell; None: all are in one
    """
    z, y, x, b = np.meshgrid(*(np.arange(n) for n in (*size[::-1], len(basis))), indexing="ij")
    cells = np.stack([x, y, z], axis=-1)
    positions = ((cells + basis[b]) @ cell).reshape(-1, 3)
    group = file.create_group("model")
    group["positions"] = positions
    group["positions"].attrs["unit"] = length_unit
    group["moments"] = np.ones(len(positions))
    group["species"] = np.array(["Fe"] * len(positions), dtype=h5py.string_dtype())
    group["cell"] = cell
    group["size"] = np.array(size)
    group["periodic"] = np.array(periodic, dtype=np.uint8)
    group["basis_index"] = b.ravel()
    group["basis_layer"] = np.zeros(len(basis), dtype=int) if layers is None else np.array(layers)
    group["basis_layer"].attrs["layers_per_cell"] = layers_per_cell
    group.attrs.update(energy_per_site_ferromagnet=-2.0, mean_field_temperature=1.33)
    return positions


def add_stage(file: h5py.File, name: str, completed: int = 1) -> h5py.Group:
    group = file.create_group(f"stages/{name}")
    group.attrs.update(kind=name.split("-", 1)[1], title="", completed=completed,
                       wall_seconds=1.5, rate=1e6, rate_unit="spin updates / s")
    return group


def add_temperature(stage: h5py.Group, temperature: np.ndarray, unit: str = "") -> None:
    stage["temperature"] = temperature
    stage["temperature"].attrs["unit"] = unit


def add_average(stage: h5py.Group, name: str, value: np.ndarray, error: np.ndarray,
                unit: str = "") -> None:
    group = stage.create_group(f"averages/{name}")
    group["value"], group["error"] = value, error
    group["autocorrelation_time"] = np.full(len(value), 3.0)
    group["samples"] = np.full(len(value), 1000)
    group.attrs["unit"] = unit


def add_series(stage: h5py.Group, name: str, value: np.ndarray, unit: str = "",
               time: np.ndarray | None = None, time_unit: str = "",
               point: np.ndarray | None = None) -> None:
    group = stage.create_group(f"series/{name}")
    group["value"] = value
    group["value"].attrs["unit"] = unit
    group["step"] = 10.0 * np.arange(len(value))
    if time is not None:
        group["time"] = time
        group["time"].attrs["unit"] = time_unit
    if point is not None:
        group["point"] = point


def add_configuration(stage: h5py.Group, spins: np.ndarray) -> None:
    stage["configuration"] = spins.reshape(-1, *spins.shape[-2:])


def square_path(points: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The path G-X-M-G with `points` points on each line: q [Q, 3], path_distance [Q], label_index."""
    corners = np.array([[0, 0, 0], [0.5, 0, 0], [0.5, 0.5, 0], [0, 0, 0]])
    lines = [a + (b - a) * np.arange(points)[:, None] / points
             for a, b in zip(corners, corners[1:])]
    q = np.concatenate([*lines, corners[-1:]])
    steps = 2 * np.pi * np.linalg.norm(np.diff(q, axis=0), axis=1)
    return q, np.concatenate([[0], np.cumsum(steps)]), points * np.arange(4)


def square_grid(first: int, second: int) -> np.ndarray:
    """q [Q, 3] of a grid, the first component varying fastest."""
    y, x = np.meshgrid(np.arange(second) / second, np.arange(first) / first, indexing="ij")
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(first * second)])


def mark_as_grid(group: h5py.Group, first: int, second: int) -> None:
    """Marks the wave vectors of a group as a grid."""
    group["grid"] = np.array([first, second, 1.0])
    for name in ("label_index", "label_text"):
        group.pop(name, None)


def add_structure_factor(stage: h5py.Group, q: np.ndarray, distance: np.ndarray,
                         frequency: np.ndarray, intensity: np.ndarray, error: np.ndarray,
                         labels: list[tuple[int, str]], unit: str = "") -> h5py.Group:
    group = stage.create_group("structure-factor")
    group.attrs.update(NX_class="NXdata", signal="intensity", window="hann", origins="all")
    group["q"], group["q_cartesian"] = q, 2 * np.pi * q
    group["path_distance"], group["frequency"] = distance, frequency
    group["frequency"].attrs["unit"] = unit
    group["intensity"], group["error"] = intensity, error
    group["components"] = np.stack([0.25 * intensity, 0.25 * intensity, 0.5 * intensity], axis=-1)
    group["static"] = intensity.sum(axis=1)
    group["static_error"] = 0.05 * intensity.sum(axis=1)
    group["label_index"] = np.array([index for index, _ in labels])
    group["label_text"] = np.array([text for _, text in labels], dtype=h5py.string_dtype())
    return group


def add_scan(file: h5py.File, axes: list[tuple[str, np.ndarray, str]],
             averages: dict[str, np.ndarray], done: np.ndarray | None = None,
             stage: str = "01-monte-carlo") -> None:
    """Writes /scan with axes (key, values, unit) and the averages of one stage, in the shape of the scan."""
    shape = tuple(len(values) for _, values, _ in axes)
    group = file.create_group("scan")
    group["shape"] = np.array(shape)
    group["keys"] = np.array([key for key, _, _ in axes], dtype=h5py.string_dtype())
    for number, (key, values, unit) in enumerate(axes, start=1):
        if values.dtype.kind != "f":
            values = np.array(values, dtype=h5py.string_dtype())
        group[f"axes/{number:02}/{key}"] = values
        group[f"axes/{number:02}/{key}"].attrs["unit"] = unit
    done = np.ones(shape, dtype=np.uint8) if done is None else done
    group["points/completed"] = done.ravel()
    file["provenance/points/rank"] = np.where(done.ravel() != 0, 0, -1)
    for name, value in averages.items():
        group[f"summary/{stage}/{name}/value"] = value
        group[f"summary/{stage}/{name}/error"] = 0.1 * np.ones(value.shape)


def add_stage_points(file: h5py.File, name: str, values: np.ndarray, unit: str = "",
                     stage: str = "01-monte-carlo") -> None:
    """Writes the temperatures or fields of a stage at each point of a scan."""
    file[f"scan/stages/{stage}/{name}"] = values
    file[f"scan/stages/{stage}/{name}"].attrs["unit"] = unit


def add_spin_waves(stage: h5py.Group, q: np.ndarray, distance: np.ndarray, frequency: np.ndarray,
                   intensity: np.ndarray, labels: list[tuple[int, str]], unit: str = "") -> None:
    """Writes dispersion/ with lines at plus and minus the frequencies [Q, n], and a density of states."""
    group = stage.create_group("dispersion")
    group["q"], group["path_distance"] = q, distance
    for prefix in ("", "mirror_"):
        group[prefix + "frequency"] = frequency
        group[prefix + "frequency"].attrs["unit"] = unit
        group[prefix + "intensity"] = intensity
        group[prefix + "amplitude"] = np.zeros((*frequency.shape, 3, 2))
    group["label_index"] = np.array([index for index, _ in labels])
    group["label_text"] = np.array([text for _, text in labels], dtype=h5py.string_dtype())
    states = stage.create_group("density-of-states")
    states["frequency"] = np.linspace(0.05, 7.95, 80)
    states["frequency"].attrs["unit"] = unit
    states["density"] = np.full(80, 1 / 8)


def add_static_structure_factor(stage: h5py.Group, q: np.ndarray, temperature: np.ndarray,
                                static: np.ndarray, tensor: np.ndarray | None = None) -> h5py.Group:
    """Writes a sampled S(q): static [P, Q]; tensor [P, Q, 3, 3], complex."""
    group = stage.create_group("structure-factor")
    group.attrs.update(NX_class="NXdata", signal="static", every=10, method="fft")
    group["q"], group["q_cartesian"] = q, 2 * np.pi * q
    group["path_distance"] = np.arange(len(q), dtype=float)
    group["temperature"], group["samples"] = temperature, np.full(len(temperature), 800.0)
    group["static"], group["static_error"] = static, 0.1 * static
    group["autocorrelation_time"] = np.full(static.shape, 0.5)
    group["reliable"] = np.where(static > 1, 1.0, 0.0)
    if tensor is not None:
        group["tensor"] = np.stack([tensor.real, tensor.imag], axis=-1)
        group["tensor_error"] = 0.1 * group["tensor"][()]
    return group
