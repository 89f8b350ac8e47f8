"""UppASD's own files of `larmor run inpsd.dat --uppasd-output`, compared with sums over the results."""
# Rooms: imports

import json
import math
import signal

import h5py
import numpy as np
import pytest

from program import larmor
from running import start, stop_once_there

MRY = 13.605693009e-3  # eV
K_B, MU_B, MRY_SI = 1.38064852e-23, 9.274009994e-24, 2.179872325e-21
MOMENT = 1.7

HEAD = """simid     small
ncell     4 3 1
BC        P P 0
cell      1.0 0.0 0.0
          0.5 1.0 0.0
          0.0 0.0 1.0
Sym       0
posfile   ./posfile
momfile   ./momfile
exchange  ./jfile
dm        ./dmfile
anisotropy ./kfile
alat      3e-10
hfield    0 0.5 3.0
plotenergy 1
"""
FILES = {
    "posfile": "1 1 0 0 0\n",
    "momfile": f"1 1 {MOMENT} 0 0 1\n",
    "jfile": "1 1 1 0 0 0.4\n1 1 -1 0 0 0.4\n1 1 0.5 1 0 0.3\n1 1 -0.5 -1 0 0.3\n",
    "dmfile": "1 1 1 0 0 0.0 0.1 0.0\n1 1 -1 0 0 0.0 -0.1 0.0\n",
    "kfile": "1 1 -0.05 0.0 0 0 1 0\n",
}
DYNAMICS = """mode S
SDEalgh   5
damping   0.02
timestep  2e-15
temp      0
"""
MONTE_CARLO = "mode M\ntemp 100\nInitmag 3\n"


def restart_text(directions, step=0):
    """@param directions unit vectors [ensembles, atoms, 3]"""
    ensembles, atoms, _ = directions.shape
    bar = "#" * 80
    text = (f"{bar}\n# File type: R\n# Simulation type: S\n# Number of atoms:  {atoms:8}\n"
            f"# Number of ensembles:  {ensembles:8}\n{bar}\n"
            "  # iter     ens   iatom           |Mom|             M_x             M_y             M_z\n")
    for k in range(ensembles):
        for i in range(atoms):
            numbers = "".join(f"{x:16.8E}" for x in [MOMENT, *directions[k, i]])
            text += f"{step:8}{k + 1:8}{i + 1:8}  {numbers}\n"
    return text


def random_directions(ensembles, atoms, seed):
    vectors = np.random.default_rng(seed).normal(size=(ensembles, atoms, 3))
    return vectors / np.linalg.norm(vectors, axis=2, keepdims=True)


def write_input(folder, text, start_directions=None, step=0):
    folder.mkdir(exist_ok=True)
    for name, content in FILES.items():
        (folder / name).write_text(content)
    if start_directions is not None:
        (folder / "start").write_text(restart_text(start_directions, step))
        text += "Initmag 4\nrestartfile ./start\n"
    (folder / "inpsd.dat").write_text(HEAD + text)
    return folder


def run(folder, *options):
    done = larmor("run", "inpsd.dat", "--uppasd-output", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


def table(path):
    """The header and the rows of numbers."""
    lines = path.read_text().splitlines()
    header = [line for line in lines if line.lstrip().startswith("#")]
    return header, np.array([list(map(float, line.split())) for line in lines if line not in header])


def stage_of(file):
    return file["stages"][sorted(file["stages"])[-1]]


def series(stage, name):
    group = stage[f"series/{name}"]
    return group["step"][:], group["value"][:]


def assert_averages(folder, every, last):
    with h5py.File(folder / "inpsd.h5") as file:
        step, M = series(stage_of(file), "magnetisation")
    chosen = step % every == 0
    size = np.linalg.norm(M[chosen], axis=2)
    expected = np.column_stack([step[chosen], M[chosen].mean(1), size.mean(1), size.std(1)])
    header, rows = table(folder / "averages.small.out")
    assert header == ["   #Iter           <M>_x           <M>_y           <M>_z             <M>        M_{stdv}"]
    assert rows[-1, 0] == last
    np.testing.assert_allclose(rows, expected, rtol=6e-9, atol=1e-7)


def assert_energies(folder, every, last, terms):
    with h5py.File(folder / "inpsd.h5") as file:
        stage = stage_of(file)
        step, total = series(stage, "energy")
        parts = {name: sum(series(stage, f"energy_{table}")[1] for table in tables) for name, tables in terms.items()}
    chosen = (step % every == 0) & (step <= last)
    columns = ["Tot", "Exc", "Ani", "DM", "PD", "BiqDM", "BQ", "Dip", "Zeeman", "LSF", "Chir", "Ring", "SA"]
    values = [total] + [parts.get(name, 0 * total) for name in columns[1:]]
    header, rows = table(folder / "totenergy.small.out")
    assert header == ["   #Iter" + "".join(f"{name:>20}" for name in columns)]
    expected = np.column_stack([step[chosen]] + [v[chosen].mean(1) / MRY for v in values])
    np.testing.assert_allclose(rows, expected, rtol=6e-9, atol=1e-12)
    np.testing.assert_allclose(rows[:, 1], rows[:, 2:].sum(1), atol=1e-7)
    if total.shape[1] == 1:
        assert not (folder / "stdenergy.small.out").exists()
        return
    _, rows = table(folder / "stdenergy.small.out")
    expected = np.column_stack([step[chosen]] +
                               [v[chosen].var(1, ddof=1) / MRY**2 * MRY_SI / MU_B for v in values])
    np.testing.assert_allclose(rows, expected, rtol=1e-6, atol=1e-9)


def assert_cumulants(folder, every, buffer, temperature, exchange):
    with h5py.File(folder / "inpsd.h5") as file:
        stage = stage_of(file)
        step, M = series(stage, "magnetisation")
        _, E = series(stage, "energy")
        Exc = sum(series(stage, f"energy_{table}")[1] for table in exchange)
        atoms = file["model/moments"].shape[0]
    chosen = (step % every == 0) & (step > 0)
    sizes = np.linalg.norm(M[chosen], axis=2)
    E, Exc, ensembles = E[chosen] / MRY, Exc[chosen] / MRY, sizes.shape[1]
    header, rows = table(folder / "cumulants.small.out")
    words = ["<M>", "<M^2>", "<M^4>", "U_{Binder}", r"\chi", "C_v(tot)", "<E>", "<E_{exc}>", "<E_{lsf}>"]
    assert header == ["   #Iter" + "".join(f"{word:>16}" for word in words)]
    expected = []
    for n in range(1, len(sizes) + 1, buffer):
        weights = np.arange(1, n * ensembles + 1)

        def average(values, power=1):
            return np.average(values[:n].ravel()**power, weights=weights)

        m, m2, m4 = (average(sizes, power) for power in (1, 2, 4))
        chi = (m2 - m * m) * MU_B**2 * atoms / K_B**2 / temperature
        C = (average(E, 2) - average(E)**2) * MRY_SI**2 * atoms / K_B**2 / temperature**2
        expected.append([n, m, m2, m4, 1 - m4 / 3 / m2**2, chi, C, average(E), average(Exc), 0])
    np.testing.assert_allclose(rows, expected, rtol=1e-7, atol=1e-12)
    numbers = json.loads((folder / "cumulants.small   .json").read_text())
    last = dict(zip(["magnetization", "binder_cumulant", "susceptibility", "specific_heat", "energy"],
                    rows[-1, [1, 4, 5, 6, 7]]))
    assert numbers.pop("temperature") == temperature
    assert numbers.pop("skyrmion_num") is None and numbers.pop("skyrmion_std") is None
    assert numbers.keys() == last.keys()
    for name, value in last.items():
        assert math.isclose(numbers[name], value, abs_tol=6e-9), name


def assert_restart(folder, step):
    with h5py.File(folder / "inpsd.h5") as file:
        states = stage_of(file)["configuration"][:]
    assert (folder / "restart.small.out").read_text().splitlines()[6:] == \
        restart_text(states, step).splitlines()[6:]


TERMS = {"Exc": ["exchange_1", "exchange_2"], "Ani": ["anisotropy"], "DM": ["dmi"], "Zeeman": ["field"]}


def test_monte_carlo_of_ensembles(tmp_path):
    write_input(tmp_path, MONTE_CARLO + "Mensemble 3\nmcnstep 400\navrg_step 20\ncumu_step 10\ncumu_buff 4\n"
                "do_tottraj Y\ntottraj_step 100\nntraj 2\n2 100 10\n12 200 10\n")
    run(tmp_path)
    assert_averages(tmp_path, 20, 400)
    assert_energies(tmp_path, 20, 400, TERMS)
    assert_cumulants(tmp_path, 10, 4, 100, TERMS["Exc"])
    assert_restart(tmp_path, 0)
    with h5py.File(tmp_path / "inpsd.h5") as file:
        frames, steps = stage_of(file)["trajectory/value"][:], stage_of(file)["trajectory/step"][:]
    _, rows = table(tmp_path / "moment.small.out")
    chosen = frames[steps % 100 == 0]
    assert rows.shape == (4 * 3 * 12, 7)
    np.testing.assert_allclose(rows[:, 4:].reshape(4, 3, 12, 3), chosen, atol=6e-9)
    assert list(rows[::36, 0]) == [100, 200, 300, 400]
    for k in (1, 2, 3):
        _, rows = table(tmp_path / f"trajectory.small.002.{k}.out")
        np.testing.assert_allclose(rows[:, 2:5], frames[steps % 200 == 0][:, k - 1, 11], atol=6e-9)
        assert list(rows[:, 0]) == [200, 400] and set(rows[:, 1]) == {12} and set(rows[:, 5]) == {MOMENT}


def test_dynamics_from_a_file(tmp_path):
    spins = random_directions(1, 12, 3)
    write_input(tmp_path, DYNAMICS + "Nstep 45\navrg_step 10\ncumu_step 5\ndo_cumu Y\ncumu_buff 1\n", spins, step=20)
    run(tmp_path)
    _, rows = table(tmp_path / "averages.small.out")
    np.testing.assert_allclose(rows[0, 1:4], MOMENT * spins[0].mean(0), atol=1e-7)
    assert list(rows[:, 0]) == [20, 30, 40, 50, 60]
    assert list(table(tmp_path / "totenergy.small.out")[1][:, 0]) == [20, 30, 40, 50, 60]
    assert len(table(tmp_path / "cumulants.small.out")[1]) == 9
    assert_restart(tmp_path, 65)


def test_a_phase_of_two_stages_has_the_rows_of_one(tmp_path):
    """S(q,w) of the first 150 steps is a stage of its own."""
    text = DYNAMICS + "Nstep 400\navrg_step 50\ndo_tottraj Y\ntottraj_step 100\ncumu_step 25\ndo_cumu Y\n"
    spins = random_directions(1, 12, 8)
    one = write_input(tmp_path / "one", text, spins)
    two = write_input(tmp_path / "two", text + "do_sc Q\nsc_step 10\nsc_nstep 15\nqpoints C\n", spins)
    run(one)
    run(two)
    with h5py.File(two / "inpsd.h5") as file:
        assert len(file["stages"]) == 2
    for name in ["averages", "totenergy", "cumulants", "moment", "restart"]:
        header, rows = table(one / f"{name}.small.out")
        assert header == table(two / f"{name}.small.out")[0]
        np.testing.assert_array_equal(rows, table(two / f"{name}.small.out")[1], name)
    assert list(table(two / "moment.small.out")[1][::12, 0]) == [0, 100, 200, 300, 400]


def test_a_restart_file_goes_on(tmp_path):
    """Two halves have the spins of the whole, for ensembles with spins of their own."""
    text = DYNAMICS + "Mensemble 3\navrg_step 10\n"
    spins = random_directions(3, 12, 4)
    whole = write_input(tmp_path / "whole", text + "Nstep 40\n", spins)
    first = write_input(tmp_path / "first", text + "Nstep 20\n", spins)
    run(whole)
    run(first)
    second = write_input(tmp_path / "second", text + "Nstep 20\n", spins)
    (second / "start").write_bytes((first / "restart.small.out").read_bytes())
    run(second)
    header, expected = table(whole / "restart.small.out")
    again, rows = table(second / "restart.small.out")
    assert header == again
    np.testing.assert_allclose(rows, expected, atol=3e-7)
    spread = expected[:, 4:].reshape(3, 12, 3).std(0)
    assert spread.min() > 1e-3  # the ensembles stay different
    np.testing.assert_allclose(table(second / "averages.small.out")[1],
                               table(whole / "averages.small.out")[1][2:], atol=3e-7)


@pytest.mark.parametrize("points", ["C", "F"])
@pytest.mark.parametrize("ensembles", [1, 2])
def test_spectra_are_sums_over_trajectories(tmp_path, points, ensembles):
    """|sum_t m(q,t) exp(i w t)|^2 of the states, summed over ensembles, with n samples over ((n - 1) / 2)^2."""
    n, every = 12, 10
    write_input(tmp_path, DYNAMICS + f"Mensemble {ensembles}\nNstep {n * every + 1}\ndo_sc Q\nsc_step {every}\n"
                f"sc_nstep {n - 1}\nqpoints {points}\nqfile ./qfile\ndo_tottraj Y\ntottraj_step {every}\n",
                random_directions(ensembles, 12, 5))
    q = np.array([[0.25, -0.125, 0], [0.1, 0.3, 0], [0, 0, 0], [0.5, 0.25, 0.5]])
    (tmp_path / "qfile").write_text(f"{len(q)}\n" + "".join("%r %r %r\n" % tuple(v) for v in q.tolist()))
    run(tmp_path)
    with h5py.File(tmp_path / "inpsd.h5") as file:
        frames = [stage["trajectory/value"][:] for _, stage in sorted(file["stages"].items())][0][:n]
        r = file["model/positions"][:] / 3
    if points == "C":
        b = np.linalg.inv(np.array([[1, 0, 0], [0.5, 1, 0], [0, 0, 1]])).T
        q = np.array([x / 4 * b[0] + y / 3 * b[1] for y in (-1, 0, 1) for x in (-1, 0, 1, 2)])
    phases = np.exp(2j * np.pi * q @ r.T)
    m = MOMENT / 12 * np.einsum("qr,tkra->tkqa", phases, frames)
    w = 2 * np.pi * np.arange((n - 1) // 2) / (n - 1)
    sums = np.einsum("wt,tkqa->kqwa", np.exp(1j * np.outer(w, np.arange(n))), m)
    expected = (np.abs(sums)**2).sum(0) / ((n - 1) / 2)**2
    header, rows = table(tmp_path / "sqw.small.out")
    assert header == [
        "#    iq    q_x        q_y      q_x        qw           |S_xx|          |S_yy|          |S_zz|         |S|      "
    ]
    rows = rows.reshape(len(q), len(w), 9)
    np.testing.assert_allclose(rows[:, 0, 1:4], q, atol=6e-7)
    assert np.array_equal(rows[:, :, 4], np.broadcast_to(np.arange(len(w)) + 1, rows.shape[:2]))
    np.testing.assert_allclose(rows[:, :, 5:8], expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(rows[:, :, 8], np.linalg.norm(expected, axis=2), rtol=1e-6, atol=1e-9)


def test_real_time_and_numbers_of_large_exponents(tmp_path):
    write_input(tmp_path, DYNAMICS + "Nstep 20\navrg_step 10\nreal_time_measure Y\nskyno T\nskyno_step 10\n",
                random_directions(1, 12, 6))
    run(tmp_path)
    lines = (tmp_path / "averages.small.out").read_text().splitlines()
    assert lines[0].startswith("     Time[s]           <M>_x")
    assert [line[:12] for line in lines[1:]] == ["  0.0000E+00", "  2.0000E-14", "  4.0000E-14"]
    lines = (tmp_path / "sknumber.small.out").read_text().splitlines()
    assert lines[0] == "         Time[s]     Skx num     Skx avg     Skx std"
    with h5py.File(tmp_path / "inpsd.h5") as file:
        charges = series(stage_of(file), "topological_charge")[1][:, 0]
    for n, line in enumerate(lines[1:]):
        charge, average, variance = map(float, line[16:].split())
        seen = charges[:n + 1]
        np.testing.assert_allclose([charge, average, variance], [charges[n], seen.mean(), seen.var()], atol=6e-9)


def test_one_atom(tmp_path):
    """A single spin without couplings precesses about the field."""
    write_input(tmp_path, DYNAMICS + "Nstep 10\navrg_step 5\n")
    text = (tmp_path / "inpsd.dat").read_text().replace("ncell     4 3 1", "ncell 1 1 1")
    text = text.replace("P P 0", "0 0 0").replace("damping   0.02", "damping 0").replace("dm        ./dmfile\n", "")
    text = text.replace("anisotropy ./kfile\n", "")
    (tmp_path / "inpsd.dat").write_text(text + "Initmag 3\n")
    (tmp_path / "momfile").write_text("1 1 1.7 1 0 0\n")
    run(tmp_path)
    _, rows = table(tmp_path / "averages.small.out")
    B = np.array([0, 0.5, 3.0])
    n = B / np.linalg.norm(B)
    # de/dt = gamma B x e
    angles = 1.760859644e11 * np.linalg.norm(B) * 2e-15 * rows[:, 0]
    e = np.array([1.0, 0, 0])
    expected = [e * np.cos(a) + np.cross(n, e) * np.sin(a) + n * (n @ e) * (1 - np.cos(a)) for a in angles]
    np.testing.assert_allclose(rows[:, 1:4] / MOMENT, expected, atol=1e-8)
    _, energies = table(tmp_path / "totenergy.small.out")
    np.testing.assert_allclose(energies[:, 1], -(rows[:2, 1:4] @ B) * MU_B / MRY_SI, atol=1e-11)
    np.testing.assert_allclose(energies[:, 1], energies[:, 9], atol=0)


def test_files_are_replaced_only_by_force(tmp_path):
    write_input(tmp_path, MONTE_CARLO + "mcnstep 100\n")
    (tmp_path / "totenergy.small.out").write_text("mine\n")
    refused = larmor("run", "inpsd.dat", "--uppasd-output", cwd=tmp_path)
    assert refused.returncode == 2 and "totenergy.small.out" in refused.stderr and "--force" in refused.stderr
    assert not (tmp_path / "inpsd.h5").exists() and not (tmp_path / "averages.small.out").exists()
    assert (tmp_path / "totenergy.small.out").read_text() == "mine\n"
    run(tmp_path, "--force")
    assert_energies(tmp_path, 100, 100, TERMS)


@pytest.mark.parametrize("line, words", [
    ("logsamp Y", ["inpsd.dat:20:9", "logsamp"]),
    ("simid a/b", ["inpsd.dat:20:7", "slash"]),
], ids=["logarithmic-steps", "slash"])
def test_inputs_with_other_files_are_refused(tmp_path, line, words):
    write_input(tmp_path, MONTE_CARLO + f"mcnstep 100\n{line}\n")
    refused = larmor("run", "inpsd.dat", "--uppasd-output", cwd=tmp_path)
    assert refused.returncode == 2
    for word in words:
        assert word in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*FILES, "inpsd.dat"])


def test_other_studies_are_refused(tmp_path):
    (tmp_path / "study.toml").write_text("[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=1\n"
                                         "[[stage]]\nkind='monte-carlo'\ntemperature=1\nsweeps=10\n")
    refused = larmor("run", "study.toml", "--uppasd-output", cwd=tmp_path)
    assert refused.returncode == 2 and "leave the option out" in refused.stderr
    assert not (tmp_path / "study.h5").exists()


def test_a_resumed_run_writes_equal_files(tmp_path):
    text = MONTE_CARLO + "mcnstep 300000\navrg_step 1000\ncumu_step 1000\nMensemble 2\n"
    whole, stopped = write_input(tmp_path / "whole", text), write_input(tmp_path / "stopped", text)
    run(whole)
    process = start("run", "inpsd.dat", "--uppasd-output", cwd=stopped)
    code, *_ = stop_once_there(process, stopped / "inpsd.h5", signal.SIGINT)
    assert code == 130 and not (stopped / "averages.small.out").exists()
    text = (stopped / "inpsd.dat").read_text()
    (stopped / "inpsd.dat").write_text(text + "avrg_step 5\n")
    refused = larmor("resume", "inpsd.h5", cwd=stopped)
    assert refused.returncode == 2 and "has changed" in refused.stderr
    (stopped / "inpsd.dat").write_text(text)
    resumed = larmor("resume", "inpsd.h5", cwd=stopped)
    assert resumed.returncode == 0, resumed.stderr
    files = sorted(path.name for path in whole.iterdir() if ".small" in path.name)
    assert len(files) == 6
    for name in files:
        assert (whole / name).read_bytes() == (stopped / name).read_bytes(), name


def test_ensembles_of_a_restart_file_need_replicas(tmp_path):
    write_input(tmp_path, DYNAMICS + "Nstep 10\n", random_directions(2, 12, 7))
    refused = larmor("run", "inpsd.dat", cwd=tmp_path)
    assert refused.returncode == 2 and "2 ensembles" in refused.stderr and "1 replica" in refused.stderr
    assert not (tmp_path / "inpsd.h5").exists()
    lines = (tmp_path / "start").read_text().splitlines()
    (tmp_path / "start").write_text("\n".join(lines[:-1]) + "\n")
    refused = larmor("run", "inpsd.dat", cwd=tmp_path)
    assert refused.returncode == 2 and "11 of 12 spins of ensemble 2" in refused.stderr
