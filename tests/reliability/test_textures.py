"""Named textures: refusals, and notes if a texture does not survive."""
# Rooms: study

import re
import signal

import h5py
import pytest

from program import larmor
from running import start, stop_once_there

STUDY = """\
seed = 1
replicas = {replicas}
[lattice]
type = "square"
size = [{size}, {size}]
[[exchange]]
shell = 1
J = 1.0
[[dmi]]
shell = 1
strength = 0.5
direction = "interface"
[field]
B = [0, 0, 0.2]
[initial]
{initial}
[[stage]]
{stage}
"""

SKYRMION = 'state = "skyrmion"\nradius = 6'
# The interaction prefers a helicity of 180 deg.
WRONG = SKYRMION + "\nhelicity = 0"
MINIMISE = 'kind = "minimise"\nmeasure = ["topological-charge"]'
PATH = 'kind = "minimum-energy-path"\nimages = 3\nsteps = 300\nfinal = {{ {final} }}'
COLLAPSED = "changed from -1 to 0: the texture has collapsed"


def run(folder, initial, stage, replicas=1, size=40):
    study = folder / "study.toml"
    study.write_text(STUDY.format(initial=initial, stage=stage, replicas=replicas, size=size))
    done = larmor("run", study, "-o", folder / "results.h5", "--force")
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "initial, line, contains",
    [
        ('state = "skyrmoin"', 16, "did you mean 'skyrmion'"),
        ('state = "skyrmion"', 15, "radius"),
        (SKYRMION + '\nhelicity = "atuo"', 18, 'or "auto"'),
        (SKYRMION + "\nperiod = 12", 18, "skyrmion-lattice"),
        (SKYRMION + "\ndirection = [1, 0, 0]", 18, "along z"),
        ('state = "antiskyrmion"\nradius = 6\nwinding = 1', 18, "winding"),
        ('state = "skyrmion-lattice"', 15, "period"),
        ('state = "skyrmion-lattice"\nperiod = 100', 17, "room"),
        ('state = "skyrmion-lattice"\nperiod = 10\nwinding = 3', 18, "winding"),
        ('state = "hopfion"', 15, "radius"),
        ('state = "hopfion"\nradius = 4\nhopf_index = 0', 18, "hopf_index"),
        ('state = "domain-wall"\nwidth = 4\nnormal = [1, 0, 0]\nwall = "blohc"', 19, "bloch"),
        ('state = "domain-wall"\nwidth = 4\nnormal = [1, 0, 0]\nwall = "bloch"\n'
         "inside = [0, 1, 0]", 19, "remove one of these keys"),
        ('state = "vortex"\nwidth = 4\nwall = "bloch"', 18, "domain-wall"),
        ("direction = [1, 0, 0]", 16, '"aligned" or '),
        ('state = "random"\nnormal = [1, 0, 0]', 17, '"spiral" or "domain-wall"'),
        ('state = "aligned"\nwinding = 1', 17, '"skyrmion" or '),
        ('state = "aligned"\nhelicity = 0.5', 17, '"skyrmion" or '),
        ('state = "aligned"\nq = [0.1, 0, 0]', 17, '"spiral"'),
        ('state = "vortex"\nwidth = 4\nradius = 5', 18, '"skyrmion" or '),
        ('state = "vortex"\nwidth = 4\ninside = [1, 0, 0]', 18, '"domain-wall"'),
        ('state = "skyrmion-lattice"\nperiod = 10\nwidth = 4', 18, '"domain-wall" or '),
        ('state = "spiral"\nq = [0.1, 0, 0]\ncentre = [1, 0, 0]', 18, '"domain-wall" or '),
    ],
)
def test_what_makes_no_texture_is_refused(tmp_path, initial, line, contains):
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(initial=initial, stage=MINIMISE, replicas=1, size=40))
    for command in ("check", "run"):
        refused = larmor(command, "study.toml", cwd=tmp_path)
        assert refused.returncode == 2, refused.stderr
        assert re.match(rf"study\.toml:{line}:\d+: error: ", refused.stderr), refused.stderr
        assert contains in refused.stderr
        assert "help:" in refused.stderr


def test_what_makes_no_end_of_a_path_is_refused(tmp_path):
    study = tmp_path / "study.toml"
    final = 'state = "skyrmion-lattice", period = 10, radius = 3'
    study.write_text(STUDY.format(initial=SKYRMION, stage=PATH.format(final=final), replicas=1,
                                  size=40))
    refused = larmor("check", "study.toml", cwd=tmp_path)
    assert refused.returncode == 2
    assert re.match(r"study\.toml:22:\d+: error: radius belongs to ", refused.stderr), refused.stderr


def test_a_texture_that_collapses_is_told_of(tmp_path):
    assert (f"minimise: the topological charge of 3 of 3 replicas {COLLAPSED}"
            in run(tmp_path, WRONG, MINIMISE, replicas=3))
    with h5py.File(tmp_path / "results.h5") as file:
        assert abs(file["stages/01-minimise/averages/topological_charge/value"][0]) < 1e-9


def test_nothing_is_told_of_one_that_survives(tmp_path):
    assert "topological" not in run(tmp_path, SKYRMION, MINIMISE, replicas=3)
    with h5py.File(tmp_path / "results.h5") as file:
        assert abs(file["stages/01-minimise/averages/topological_charge/value"][0] + 1) < 1e-9


@pytest.mark.parametrize("centre", ["[0, 0, 0]", "[39.5, 12, 0]", "[60, -60, 0]"])
def test_a_texture_goes_on_across_periodic_boundaries(tmp_path, centre):
    """No note appears, since the texture starts with its charge. Its energy equals that of a
    texture in the middle."""
    energies = []
    for more in ("", f"\ncentre = {centre}"):
        assert "topological" not in run(tmp_path, SKYRMION + more, MINIMISE)
        with h5py.File(tmp_path / "results.h5") as file:
            assert abs(file["stages/01-minimise/averages/topological_charge/value"][0] + 1) < 1e-9
            energies.append(file["stages/01-minimise/averages/energy/value"][0])
    assert abs(energies[0] - energies[1]) < 1e-6


def test_ends_of_a_path_that_collapse_are_told_of(tmp_path):
    right, wrong = (keys.replace("\n", ", ") for keys in (SKYRMION, WRONG))
    told = run(tmp_path, WRONG, PATH.format(final=right))
    assert f"the topological charge in the first state of the path {COLLAPSED}" in told
    assert "last state" not in told
    told = run(tmp_path, SKYRMION, PATH.format(final=wrong))
    assert f"the topological charge in the last state of the path {COLLAPSED}" in told
    assert "first state" not in told
    told = run(tmp_path, SKYRMION, PATH.format(final='state = "aligned"'))
    assert "topological" not in told


def test_ends_that_have_become_the_same_are_told_why(tmp_path):
    study = tmp_path / "study.toml"
    stage = PATH.format(final='state = "aligned"')
    study.write_text(STUDY.format(initial=WRONG, stage=stage, replicas=1, size=40))
    refused = larmor("run", study, "-o", tmp_path / "results.h5")
    assert refused.returncode == 2, refused.stderr
    assert f"the topological charge in the first state of the path {COLLAPSED}" in refused.stderr


def test_a_run_that_is_resumed_remembers_the_charge_it_began_with(tmp_path):
    study = tmp_path / "study.toml"
    output = tmp_path / "results.h5"
    stage = MINIMISE + '\nmethod = "damped"\nmax_rotation = 0.001\nsteps = 6000\nmeasure_every = 1'
    study.write_text(STUDY.format(initial=WRONG, stage=stage, replicas=1, size=64))
    process = start("run", study, "-o", output, "--checkpoint-every", "0.01")
    code, *_ = stop_once_there(process, output.with_suffix(".h5.ckpt"), signal.SIGKILL)
    assert code != 0, "it ended before it was killed"
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert COLLAPSED in resumed.stderr
