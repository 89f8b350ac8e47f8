"""Draws docs/textures.png, the textures that a study may name, with the spins of the program:

    python docs/textures.py build/release/larmor docs/textures.png
"""

import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from larmor.style import finish, new_figure, styled  # noqa: E402

# Without couplings the spins keep their initial state.
STUDY = """
[lattice]
type = "{type}"
size = {size}
periodic = {periodic}
[initial]
{keys}
[[stage]]
kind = "minimise"
"""

SKYRMION = 'state = "skyrmion"\nradius = 5.5\nhelicity = "{} deg"'
ANTISKYRMION = SKYRMION.replace("skyrmion", "antiskyrmion")
WALL = 'state = "domain-wall"\nnormal = [1, 0, 0]\nwidth = 2\nwall = "{}"'
HOPFION = 'state = "hopfion"\nradius = 5\nwidth = 3\nhopf_index = {}'
FILM, CUBE = ("square", [19, 19], "false"), ("sc", [19, 19, 19], "false")
TRIANGLES = ("triangular", [40, 40], "true")

# Title, lattice, keys, and the axes of the picture: for a cube, the plane through its middle.
PANELS = [
    ("helicity 0\nNéel, outwards", FILM, SKYRMION.format(0), "xy"),
    ("helicity 90 deg\nBloch, counterclockwise", FILM, SKYRMION.format(90), "xy"),
    ("helicity 180 deg\nNéel, inwards", FILM, SKYRMION.format(180), "xy"),
    ("helicity 270 deg\nBloch, clockwise", FILM, SKYRMION.format(270), "xy"),
    ("direction [0, 0, -1]\nhelicity 0, the core up", FILM, SKYRMION.format(0) + "\ndirection = [0, 0, -1]",
     "xy"),
    ("antiskyrmion\nhelicity 0", FILM, ANTISKYRMION.format(0), "xy"),
    ("antiskyrmion\nhelicity 90 deg", FILM, ANTISKYRMION.format(90), "xy"),
    ("winding 2\nhelicity 0", FILM, SKYRMION.format(0) + "\nwinding = 2", "xy"),
    ("skyrmion-lattice\nperiod 10, helicity 90 deg", TRIANGLES,
     'state = "skyrmion-lattice"\nperiod = 10\nhelicity = "90 deg"', "xy"),
    ("domain-wall\nnormal along x, Néel", FILM, WALL.format("neel"), "xy"),
    ("domain-wall\nnormal along x, Bloch", FILM, WALL.format("bloch"), "xy"),
    ("vortex\nhelicity 90 deg", FILM, 'state = "vortex"\nwidth = 3\nhelicity = "90 deg"', "xy"),
    ("hopfion, index 1\nplane z = 0", CUBE, HOPFION.format(1), "xy"),
    ("hopfion, index 1\nplane y = 0", CUBE, HOPFION.format(1), "xz"),
    ("hopfion, index -1\nplane z = 0", CUBE, HOPFION.format(-1), "xy"),
    ("hopfion, index -1\nplane y = 0", CUBE, HOPFION.format(-1), "xz"),
]


def spins_of(program, lattice, keys, folder):
    """Positions and directions of the spins. [N, 3] each"""
    study, results = folder / "study.toml", folder / "results.h5"
    kind, size, periodic = lattice
    study.write_text(STUDY.format(type=kind, size=size, periodic=periodic, keys=keys))
    subprocess.run([program, "run", study, "-o", results, "--force", "--progress", "quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    with h5py.File(results) as file:
        return file["model/positions"][:], file["stages/01-minimise/configuration"][0]


def draw(axes, title, positions, spins, plane):
    """Draws the components in the plane as arrows, and the component along z as colour."""
    across, up = ("xyz".index(name) for name in plane)
    normal = 3 - across - up
    middle = np.median(positions[:, normal])
    seen = np.abs(positions[:, normal] - middle) < 0.1
    r, e = positions[seen] - np.median(positions, axis=0), spins[seen]
    axes.scatter(r[:, across], r[:, up], c=e[:, 2], cmap="RdBu_r", vmin=-1.6, vmax=1.6, s=100,
                 marker="s", linewidths=0)
    # Very short arrows would be dots.
    long = np.hypot(e[:, across], e[:, up]) > 0.12
    axes.quiver(r[long, across], r[long, up], e[long, across], e[long, up], pivot="mid", scale=1,
                scale_units="xy", units="xy", width=0.16, headwidth=4, headlength=4.5,
                headaxislength=4)
    axes.set(title=title, aspect="equal", xlim=(-9.7, 9.7), ylim=(-9.7, 9.7), xticks=[], yticks=[])
    axes.set_xlabel(plane[0], labelpad=2)
    axes.set_ylabel(plane[1], labelpad=2)


def main(program, output):
    with styled(), tempfile.TemporaryDirectory() as folder:
        figure = new_figure(11.5, 13.0)
        for axes, (title, lattice, keys, plane) in zip(figure.subplots(4, 4).flat, PANELS):
            draw(axes, title, *spins_of(program, lattice, keys, pathlib.Path(folder)), plane)
        finish("Arrows: components in the plane; red: up z, blue: down z", figure)
        figure.canvas.draw()
        # A palette makes the file five times smaller.
        Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB").quantize(
            128).save(output, optimize=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2])
