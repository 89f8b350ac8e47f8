"""Several ranks give the bits of one rank, also after restarts with other numbers of ranks and
after failures. Skips if the program was built without MPI or there is no mpirun."""
# Rooms: core, spins, study

import os
import resource
import shutil
import signal
import subprocess
import time

import pytest

from program import (
    BACKEND,
    DEPTH,
    LARMOR,
    PATIENCE,
    assert_same_bits,
    command,
    larmor,
    write_alloy_study,
    write_study,
)
from ranks import (
    ENVIRONMENT,
    assert_killed_ranks_go_on,
    assert_one_killed_ends_all,
    kill_all,
    needs_ranks,
    rank_processes,
    run_on_ranks,
    start_on_ranks,
    wait_until_none_is_alive,
)

pytestmark = needs_ranks
on_gpus = pytest.mark.skipif(BACKEND != "cuda", reason="mixed precision is for GPUs")

# 36 replicas are five blocks of eight, of which the last is half full.
REPLICAS = 36


def also(*cases):
    """Cases and numbers of ranks that only `make test-all` tries. Two ranks are neighbours on both
    sides. Some of four ranks may have no replicas."""
    return cases if DEPTH else ()


def wait_for(file, process):
    deadline = time.monotonic() + 120
    while not file.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


def assert_ranks_change_no_bit(study, numbers_of_ranks, *options):
    """Compares several numbers of ranks with one rank."""
    alone = study.with_name("1.h5")
    run = larmor("run", study, "-o", alone, *options)
    assert run.returncode == 0, run.stderr
    for ranks in dict.fromkeys(numbers_of_ranks):
        together = study.with_name(f"{ranks}.h5")
        run = run_on_ranks(ranks, "run", study, "-o", together, *options)
        assert run.returncode == 0, run.stderr
        assert run.stdout.count("results:") == 1
        assert_same_bits(alone, together)


@pytest.mark.parametrize("write", [write_study, write_alloy_study])
def test_ranks_do_not_change_a_bit(tmp_path, write):
    study = write(tmp_path / "study.toml", replicas=REPLICAS, sweeps=20)
    assert_ranks_change_no_bit(study, (3, *also(2, 4)))


QUANTUM_GLASS = """seed = 2
samples = 3
replicas = 12
[model]
kind = "quantum"
[lattice]
type = "square"
size = [2, 3]
[[exchange]]
shell = 1
J = 0.0
disorder = 1.0
disorder_distribution = "bimodal"
disorder_by_replica = true
[field]
Gamma = 1.75
[[stage]]
kind = "spectrum"
levels = 2
[[stage]]
kind = "quantum-monte-carlo"
temperature = [2.0, 1.5]
slices = 8
thermalisation = 10
sweeps = 40
overlap = true
"""


def test_ranks_do_not_change_a_bit_of_a_quantum_glass(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(QUANTUM_GLASS)
    assert_ranks_change_no_bit(study, (2, *also(3)))


@pytest.mark.parametrize("one_lattice", [True, *also(False)])
def test_a_run_goes_on_with_another_number_of_ranks(tmp_path, one_lattice):
    # The run is long enough that a loaded machine does not complete it in the first runs.
    sweeps = (600 if one_lattice else 400) * (3 if BACKEND == "cuda" else 1)
    study = write_shared(tmp_path / "study.toml", one_lattice, sweeps=sweeps)
    assert larmor("run", study, "-o", tmp_path / "whole.h5").returncode == 0
    output = tmp_path / "parts.h5"
    code = None
    for part, ranks in enumerate((3, 1, 2, 4, 1)):
        arguments = ["resume", output] if part else ["run", study, "-o", output]
        if ranks == 1:
            process = subprocess.Popen(
                command(*arguments, "--checkpoint-every", "0.05", "--progress", "quiet"),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        else:
            process = start_on_ranks(ranks, *arguments, "--checkpoint-every", "0.05")
        wait_for(tmp_path / "parts.h5.ckpt", process)
        last = part == 4
        try:
            process.wait(PATIENCE if last else 0.3)
        except subprocess.TimeoutExpired:
            kill_all(process)
        _, errors = process.communicate(timeout=PATIENCE)
        code = process.returncode
        if code == 0:
            break
        assert not last, errors
    assert part >= 2
    assert code == 0
    assert_same_bits(tmp_path / "whole.h5", output)


def test_a_polite_stop_of_one_rank_stops_all(tmp_path):
    study = write_study(tmp_path / "study.toml", replicas=REPLICAS, sweeps=3000)
    output = tmp_path / "stopped.h5"
    process = start_on_ranks(3, "run", study, "-o", output, "--checkpoint-every", "0.1")
    wait_for(tmp_path / "stopped.h5.ckpt", process)
    os.kill(rank_processes(process)[1], signal.SIGTERM)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, errors
    assert out.count("larmor resume") == 1
    process = start_on_ranks(2, "resume", output)
    while len(rank_processes(process)) < 2 and process.poll() is None:
        time.sleep(0.01)
    time.sleep(1)
    os.kill(rank_processes(process)[0], signal.SIGINT)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors


@pytest.mark.parametrize(
    "one_lattice, victim", [(False, 2), (True, 0), *([(False, 0), (True, 2)] if DEPTH else [])]
)
def test_a_killed_rank_ends_all_and_the_run_can_be_resumed(tmp_path, one_lattice, victim):
    study = write_shared(tmp_path / "study.toml", one_lattice, sweeps=300)
    assert larmor("run", study, "-o", tmp_path / "whole.h5").returncode == 0
    output = tmp_path / "killed.h5"
    process = start_on_ranks(3, "run", study, "-o", output, "--checkpoint-every", "0.05")
    wait_for(tmp_path / "killed.h5.ckpt", process)
    assert_one_killed_ends_all(process, victim)
    resumed = run_on_ranks(2, "resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(tmp_path / "whole.h5", output)


def test_ranks_share_the_vectors_of_a_strip(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(
        '[model]\nkind = "ising"\n[lattice]\ngrid = [17, 4]\n[[exchange]]\nshell = 1\nJ = 1\n'
        '[[stage]]\nkind = "transfer-matrix"\ntemperature = [2.0, 3.0]\nlevels = 2\ndomain_wall = true\n'
    )
    # Three ranks cannot share vectors of a power of two: the root works.
    assert_ranks_change_no_bit(study, (2, *also(3, 4)))


def write_one_lattice(write):
    """A lattice that ranks share, because there are too few replicas. Its sites are enough for
    eight slabs."""

    def write_it(path, **options):
        text = write(path, **options).read_text()
        path.write_text(text.replace("size = [16, 16]", "size = [64, 64]"))
        return path

    return write_it


def write_shared(path, one_lattice, sweeps):
    """A study whose ranks share one lattice, or its replicas."""
    if one_lattice:
        return write_one_lattice(write_study)(path, replicas=1, sweeps=sweeps)
    return write_study(path, replicas=REPLICAS, sweeps=sweeps)


@pytest.mark.parametrize(
    "write, replicas",
    [(write_study, 1), (write_alloy_study, 9), *also((write_study, 9), (write_alloy_study, 1))],
)
def test_ranks_share_one_lattice(tmp_path, write, replicas):
    study = write_one_lattice(write)(tmp_path / "study.toml", replicas=replicas, sweeps=20)
    # Three ranks of nine replicas take half a minute on two cores.
    assert_ranks_change_no_bit(study, ((2,) if replicas > 1 else (3, 2)) + tuple(also(3, 4)))


# 17 replicas are only two blocks that ranks can divide, and there are more ranks.
@pytest.mark.parametrize(
    "integrator, replicas, ranks",
    [
        ("midpoint", 1, 3),
        ("midpoint", 17, 4),
        ("heun", 1, 3),
        ("semi-implicit", 1, 3),
        ("depondt", 1, 3),
        ("rk4", 1, 3),
    ],
)
def test_every_integrator_shares_one_lattice(tmp_path, integrator, replicas, ranks):
    heat_bath = "" if integrator == "rk4" else "temperature = 0.2\n"
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'bcc'\nsize = [8, 8, 16]\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[[exchange]]\nshell = 2\nJ = 0.4\n"
        "[initial]\nstate = 'random'\n"
        f"[[stage]]\nkind = 'dynamics'\nintegrator = '{integrator}'\ntimestep = 0.02\nsteps = 20\n"
        f"damping = 0.3\n{heat_bath}measure = [{{ what = 'energy-terms', every = 4 }},\n"
        "{ what = 'magnetisation', every = 4 }, { what = 'trajectory', every = 10 }]\n"
    )
    assert_ranks_change_no_bit(study, (ranks,))


# These bonds reach no nearest neighbour, or none along the velocity.
TORQUES = [("true", "offset = [[1, 0, 0]]"), ("[true, true, false]", "shell = 2"), ("false", "shell = 3")]


@pytest.mark.parametrize(
    "periodic, exchange, replicas",
    [(*bonds, n) for ns in [(1, 9, 1), *also((9, 1, 9))] for bonds, n in zip(TORQUES, ns)],
)
def test_spin_transfer_torques_share_one_lattice(tmp_path, replicas, periodic, exchange):
    stages = [
        ("depondt", "temperature = 0.2\n", "[0.4, 0, 0]"),
        ("midpoint", "temperature = 0.2\n", "[0, 0.4, 0]"),
        ("midpoint", "", "[0, 0, 0.4]"),
        ("rk4", "", "[0, 0, 0.4]"),
    ]
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'sc'\nsize = [12, 16, 32]\n"
        f"periodic = {periodic}\n[[exchange]]\n{exchange}\nJ = 1\n[initial]\nstate = 'random'\n"
        + "".join(
            f"[[stage]]\nkind = 'dynamics'\nintegrator = '{integrator}'\ntimestep = 0.02\n"
            f"steps = 6\ndamping = 0.3\n{heat_bath}"
            f"torque = [{{ kind = 'spin-transfer', velocity = {velocity}, beta = 0.2 }}]\n"
            "measure = [{ what = 'energy-terms', every = 2 }, { what = 'trajectory', every = 3 }]\n"
            for integrator, heat_bath, velocity in stages
        )
    )
    assert_ranks_change_no_bit(study, (3, *also(2, 4)))


@pytest.mark.parametrize(
    "precision",
    [
        "double",
        "single",
        pytest.param(
            "mixed",
            marks=pytest.mark.skipif(BACKEND != "cuda", reason="mixed precision is for GPUs"),
        ),
    ],
)
def test_sums_go_across_the_planes_between_ranks(tmp_path, precision):
    """Planes of 400 sites end within the 1024 sites of a partial sum."""
    study = tmp_path / "study.toml"
    study.write_text(
        "[lattice]\ntype = 'sc'\nsize = [20, 20, 60]\n[[exchange]]\nshell = 1\nJ = 1\n"
        "[[exchange]]\nshell = 2\nJ = 0.3\n[initial]\nstate = 'random'\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 12\ndamping = 0.2\n"
        "temperature = 0.3\nmeasure = [{ what = 'energy-terms', every = 3 },\n"
        "{ what = 'magnetisation', every = 3 }, { what = 'trajectory', every = 6 }]\n"
        "[[stage]]\nkind = 'monte-carlo'\ntemperature = 0.8\nthermalisation = 4\nsweeps = 12\n"
        "measure_every = 3\nmeasure = ['energy', 'magnetisation']\ntrajectory_every = 6\n"
    )
    assert_ranks_change_no_bit(study, (3, *also(2, 4)), "--precision", precision)


@pytest.mark.parametrize("replicas, size", [(1, "[8, 8, 16]"), (REPLICAS, "[2, 2, 2]")])
def test_spin_waves_are_those_of_the_first_replica(tmp_path, replicas, size):
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'bcc'\nsize = {size}\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[[anisotropy]]\nK = 0.1\n"
        "[initial]\nstate = 'sublattices'\ndirections = [[0, 0, 1], [0, 0, 1]]\n"
        "[[stage]]\nkind = 'spin-waves'\npath = ['Γ', 'H', 'N']\n"
        "density_of_states = { grid = [5, 5, 5] }\n"
    )
    assert_ranks_change_no_bit(study, (3, *also(2)))


@pytest.mark.parametrize("replicas", [1, 9])
def test_dipoles_by_fft_share_one_lattice(tmp_path, replicas):
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'sc'\nsize = [8, 12, 20]\n"
        "periodic = [true, true, false]\n[[exchange]]\nshell = 1\nJ = 1\n"
        "[dipolar]\nstrength = 0.3\nmethod = 'fft'\n[initial]\nstate = 'random'\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 12\ndamping = 0.2\n"
        "temperature = 0.3\nmeasure = [{ what = 'energy-terms', every = 3 },\n"
        "{ what = 'magnetisation', every = 3 }, { what = 'trajectory', every = 6 }]\n"
    )
    assert_ranks_change_no_bit(study, (2,))


@pytest.mark.parametrize(
    "method, size, replicas",
    [
        ("factorised", "[20, 20, 24]", 9),
        ("fft", "[20, 20, 24]", 1),
        ("fft", "[32, 40, 8]", 9),
        *also(("factorised", "[20, 20, 24]", 1), ("fft", "[20, 20, 24]", 9), ("fft", "[32, 40, 8]", 1)),
    ],
)
def test_structure_factors_share_one_lattice(tmp_path, method, size, replicas):
    """Planes of 400 sites: partial sums cross the borders between ranks. The last lattice is transformed in
    planes across y, and two ranks divide it across z."""
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'sc'\nsize = {size}\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[initial]\nstate = 'random'\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 24\ndamping = 0.2\n"
        "temperature = 0.3\nmeasure = [{ what = 'structure-factor', path = ['G', 'X', 'M'], "
        f"method = '{method}', every = 4, connected = {str(replicas > 1).lower()} }}]\n"
    )
    assert_ranks_change_no_bit(study, (2, *also(3, 4)))


@pytest.mark.parametrize(
    "replicas, precision",
    [(1, "double"), (9, "single"), pytest.param(1, "mixed", marks=on_gpus)],
)
def test_a_large_lattice_is_shared(tmp_path, replicas, precision):
    """There are so many spins that a GPU updates the sites that no other rank reads during the
    exchange of all other sites."""
    size = ([48, 48, 120] if replicas == 1 else [24, 24, 48]) if BACKEND == "cuda" else [8, 10, 40]
    study = tmp_path / "study.toml"
    torque = "torque = [{ kind = 'spin-transfer', velocity = [0.1, 0, 0.2], beta = 0.3 }]\n"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'sc'\nsize = {size}\n"
        "[[exchange]]\nshell = 1\nJ = 1\n"
        "[[exchange]]\nshell = 2\nJ = 0.2\n[initial]\nstate = 'random'\n"
        + "".join(
            "[[stage]]\nkind = 'monte-carlo'\ntemperature = 0.8\nthermalisation = 2\nsweeps = 4\n"
            f"measure_every = 2\nover_relaxation = {over}\nsampler = '{sampler}'\n"
            for sampler, over in (("metropolis", 2), ("heat-bath", 0))
        )
        + "".join(
            "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 6\ndamping = 0.2\n"
            f"temperature = {temperature}\nintegrator = '{integrator}'\n{more}"
            "measure = [{ what = 'trajectory', every = 6 }]\n"
            for integrator, temperature, more in (
                ("depondt", 0.3, ""),
                ("depondt", 0.3, torque),
                ("heun", 0.3, ""),
                ("rk4", 0, torque),
                ("semi-implicit", 0.3, ""),
                ("midpoint", 0.3, ""),
            )
        )
    )
    assert_ranks_change_no_bit(study, (4, *also(2)), "--precision", precision)


@pytest.mark.parametrize("method", ["auto", *also("factorised", "fft")])
def test_structure_factors_share_replicas(tmp_path, method):
    """If ranks have few replicas each, `auto` chooses the method of one rank."""
    study = tmp_path / "study.toml"
    study.write_text(
        "replicas = 40\n[lattice]\ntype = 'square'\nsize = [160, 160]\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[initial]\nstate = 'random'\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 4\n"
        f"measure = [{{ what = 'structure-factor', q = {[[n / 160, 0.25, 0] for n in range(12)]}, "
        f"method = '{method}', connected = true, every = 2 }}]\n"
    )
    assert_ranks_change_no_bit(study, (3,))


def test_structure_factors_go_on_with_another_number_of_ranks(tmp_path):
    """Tests a fixed origin, whose products the root keeps, and all origins."""
    study = tmp_path / "study.toml"
    measured = "what = 'structure-factor', path = ['Γ', 'X', 'M']"
    study.write_text(
        "replicas = 40\n[lattice]\ntype = 'square'\nsize = [16, 16]\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[initial]\nstate = 'random'\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 8000\n"
        f"measure = [{{ {measured}, every = 20 }}, {{ {measured}, every = 100, origins = 'all' }}]\n"
    )
    assert_killed_ranks_go_on(study)


@pytest.mark.parametrize("replicas, size", [(26, "[8, 8, 10]"), (9, "[8, 8, 16]")])
def test_sums_over_pairs_are_shared_by_rows(tmp_path, replicas, size):
    """Ranks with their own replicas, and ranks that share one lattice. The last of four ranks has too few
    replicas for squares of connected correlations."""
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'sc'\nsize = {size}\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[initial]\nstate = 'random'\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 8\ndamping = 0.2\n"
        "temperature = 0.3\nmeasure = [{ what = 'structure-factor', path = ['G', 'X', 'M'], "
        "points = 4, method = 'real-space', origins = 'fixed', every = 4 }, "
        "{ what = 'structure-factor', path = ['G', 'X'], points = 4, method = 'real-space', "
        "components = true, error_blocks = 3, every = 4 }, "
        "{ what = 'pair-correlations', distance = { width = 1.0, bins = 3 }, displacement = "
        "{ cells = 2 }, groups = [{ name = 'some', sites = [3, 100, 515] }], error_blocks = 3, "
        "every = 4 }]\n"
        "[[stage]]\nkind = 'pair-correlations'\nq = [[0, 0, 0], [0.5, 0.25, 0]]\n"
        "distance = { width = 1.0, bins = 3 }\ndisplacement = { cells = 2 }\n"
        "groups = [{ name = 'some', sites = [3, 100, 515] }, { name = 'more', sites = [7, 8] }]\n"
        "distribution = { bins = 30, least = -0.5 }\nerror_blocks = 2\n"
    )
    assert_ranks_change_no_bit(study, (3, *also(2, 4)))


# So many replicas and steps that the ranks are killed before the run ends.
@pytest.mark.parametrize(
    "replicas, stage",
    [
        (
            240,
            "kind = 'pair-correlations'\nq = [[0, 0, 0], [0.5, 0.25, 0]]\n"
            "distance = { width = 1.0, bins = 3 }\nerror_blocks = 20\n",
        ),
        (
            24,
            "kind = 'dynamics'\ntimestep = 0.02\nsteps = STEPS\nmeasure = [{ what = "
            "'pair-correlations', displacement = { cells = 2 }, every = 2 }]\n",
        ),
        *also(
            (
                24,
                "kind = 'dynamics'\ntimestep = 0.02\nsteps = STEPS\n"
                "measure = [{ what = 'structure-factor', q = [[0, 0, 0], [0.5, 0.25, 0]], "
                "method = 'real-space', origins = 'fixed', every = 2 }]\n",
            )
        ),
    ],
    ids=["at_rest", "displacements", *also("structure_factor")],
)
def test_sums_over_pairs_go_on_with_another_number_of_ranks(tmp_path, replicas, stage):
    stage = stage.replace("STEPS", "3000" if BACKEND == "cuda" else "100")
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'sc'\nsize = [8, 8, 10]\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[initial]\nstate = 'random'\n[[stage]]\n" + stage
    )
    assert_killed_ranks_go_on(study)


def test_a_full_disk_at_one_rank_ends_all_that_share_a_lattice(tmp_path):
    """Only the root fails, while all other ranks wait for its spins."""
    study = write_one_lattice(write_study)(tmp_path / "study.toml", replicas=1, sweeps=300)
    assert larmor("run", study, "-o", tmp_path / "whole.h5").returncode == 0
    output = tmp_path / "full.h5"
    process = start_on_ranks(3, "run", study, "-o", output, "--checkpoint-every", "0.05")
    wait_for(tmp_path / "full.h5.ckpt", process)
    ranks = rank_processes(process)
    assert len(ranks) == 3
    resource.prlimit(ranks[0], resource.RLIMIT_FSIZE, (0, 0))
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 3, errors
    assert errors.count("error:") == 1, errors
    assert f"cannot write '{tmp_path / 'full.'}" in errors and "File too large" in errors
    wait_until_none_is_alive(ranks)
    assert not list(tmp_path.glob("*.tmp*"))
    resumed = run_on_ranks(2, "resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(tmp_path / "whole.h5", output)


def in_programs(*parts):
    """Runs ranks with different folders and arguments: (folder, arguments) of each rank."""
    line = ["mpirun", "--oversubscribe"]
    for n, (folder, arguments) in enumerate(parts):
        line += [":"] * (n > 0) + ["-wdir", str(folder), "-n", "1", *command(*arguments)]
    return subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("one_lattice", [False, *also(True)])
def test_ranks_that_are_not_alike_are_refused(tmp_path, one_lattice):
    study = write_shared(tmp_path / "study.toml", one_lattice, sweeps=60)
    run = ["run", study, "-o", tmp_path / "unlike.h5", "--precision"]
    refused = in_programs((tmp_path, [*run, "double"]), (tmp_path, [*run, "single"]))
    assert refused.returncode == 3, refused.stderr
    assert refused.stderr.count("error:") == 1
    assert "the ranks have different devices" in refused.stderr
    assert not (tmp_path / "unlike.h5").exists()


@pytest.mark.parametrize("one_lattice", [True, *also(False)])
def test_ranks_that_see_different_checkpoints_are_refused(tmp_path, one_lattice):
    """Ranks whose file systems are not shared: here they see two folders of one name."""
    study = write_shared(tmp_path / "study.toml", one_lattice, sweeps=600)
    process = start_on_ranks(
        2, "run", study, "-o", tmp_path / "seen.h5", "--checkpoint-every", "0.05"
    )
    wait_for(tmp_path / "seen.h5.ckpt.prev", process)
    os.kill(rank_processes(process)[0], signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(tmp_path / "seen.h5", other)
    shutil.copy(tmp_path / "seen.h5.ckpt.prev", other)
    resume = ["resume", "seen.h5"]
    refused = in_programs((tmp_path, resume), (other, resume))
    assert refused.returncode == 3, refused.stderr
    assert refused.stderr.count("error:") == 1
    assert "ranks see different checkpoints" in refused.stderr
    resumed = in_programs((tmp_path, resume), (tmp_path, resume))
    assert resumed.returncode == 0, resumed.stderr


# The cases are planes of two cells, as for colours, different sites, and replicas.
@pytest.mark.parametrize(
    "replicas, lattice, ranks, most",
    [
        (1, "size = [4]", 3, 2),
        (1, "size = [60]\nperiodic = false", 2, 1),
        (25, "size = [4]", 4, 3),
    ],
)
def test_what_ranks_cannot_share_is_refused(tmp_path, replicas, lattice, ranks, most):
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'chain'\n{lattice}\n"
        "[[exchange]]\nshell = 1\nJ = 1\n"
        "[[stage]]\nkind = 'monte-carlo'\ntemperature = 1\nsweeps = 10\n"
    )
    run = run_on_ranks(ranks, "run", study, "-o", tmp_path / "refused.h5")
    assert run.returncode == 2, run.stderr
    assert run.stderr.count(f"{ranks} ranks cannot share ") == 1, run.stderr
    assert f"start at most {most} ranks," in run.stderr
    assert not (tmp_path / "refused.h5").exists()
    assert run_on_ranks(most, "run", study, "-o", tmp_path / "taken.h5").returncode == 0


def test_a_mistake_is_told_once(tmp_path):
    study = write_study(tmp_path / "study.toml", replicas=REPLICAS)
    study.write_text(study.read_text().replace("J = 1.0", "J = 'strong'"))
    run = run_on_ranks(3, "run", study, "-o", tmp_path / "wrong.h5")
    assert run.returncode == 2
    assert run.stderr.count("study.toml:12") == 1
    assert not (tmp_path / "wrong.h5").exists()


def test_a_wrong_option_is_told_once():
    run = run_on_ranks(3, "run", "--oops", "study.toml")
    assert run.returncode == 2
    assert run.stderr.count("--oops") == 1


@pytest.mark.parametrize("question", ["--version", "--help"])
def test_an_answer_is_given_once(question):
    run = run_on_ranks(2, question)
    assert run.returncode == 0, run.stderr
    assert run.stdout == larmor(question).stdout


@pytest.mark.parametrize("replicas", [1, 36])
def test_spins_that_are_not_numbers_are_told_once(tmp_path, replicas):
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'sc'\nsize = [16, 16, 16]\n"
        "[[exchange]]\nshell = 1\nJ = 1e200\n[initial]\nstate = 'random'\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 1e150\nsteps = 100\n"
    )
    run = run_on_ranks(3, "run", study, "-o", tmp_path / "nan.h5")
    assert run.returncode == 4, run.stderr
    assert run.stderr.count("is not a number") == 1


def test_results_are_not_overwritten(tmp_path):
    study = write_study(tmp_path / "study.toml", replicas=REPLICAS, sweeps=60)
    output = tmp_path / "there.h5"
    assert larmor("run", study, "-o", output).returncode == 0
    before = output.read_bytes()
    run = run_on_ranks(2, "run", study, "-o", output)
    assert run.returncode == 2
    assert run.stderr.count("exists") == 1
    assert output.read_bytes() == before


def write_relaxing(path, size, stages):
    """The replicas differ and converge at different times. The stage that samples afterwards uses
    random numbers that count these steps."""
    path.write_text(
        f"replicas = {REPLICAS}\n[lattice]\ntype = 'square'\nsize = [{size}, {size}]\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[[anisotropy]]\nK = 0.4\n"
        "[[random-field]]\nwidth = 0.8\nby_replica = true\n[initial]\nstate = 'random'\n"
        + stages
        + "[[stage]]\nkind = 'monte-carlo'\ntemperature = 0.5\nthermalisation = 2\nsweeps = 6\n"
        "measure_every = 2\n"
    )
    return path


RELAXING = {
    "minimise": "[[stage]]\nkind = 'minimise'\nsteps = {steps}\nperturbation = 0.01\n"
    "measure = ['energy-terms', 'topological-charge']\nmeasure_every = 7\n"
    "keep_configurations = 12\n",
    "hysteresis": "[[stage]]\nkind = 'hysteresis'\nmethod = 'cg'\nsteps = {steps}\n"
    "direction = [0.1, 0, 1]\nfield = {{ from = 2, to = -2, points = 4 }}\nloop = true\n"
    "trajectory = true\nkeep_configurations = 12\n",
}


# These steps suffice for no replica, for some replicas, and for all.
@pytest.mark.parametrize("steps", [45, *also(15, 2000)])
def test_stages_that_relax_spins_share_replicas(tmp_path, steps):
    stages = "".join(RELAXING.values()).format(steps=steps)
    assert_ranks_change_no_bit(write_relaxing(tmp_path / "study.toml", 6, stages), (3, *also(2, 4)))


@pytest.mark.parametrize("stage", RELAXING)
def test_stages_that_relax_spins_go_on_with_another_number_of_ranks(tmp_path, stage):
    stages = RELAXING[stage].format(steps=2000)
    assert_killed_ranks_go_on(write_relaxing(tmp_path / "study.toml", 24, stages))


@pytest.mark.parametrize(
    "replicas, ranks, stage, advice",
    [
        (9, 2, "minimise", "start one rank"),
        (32, 5, "hysteresis", "start at most 4 ranks"),
        (1, 2, "minimum-energy-path", "start one rank"),
    ],
)
def test_stages_that_cannot_share_a_lattice_say_so(tmp_path, replicas, ranks, stage, advice):
    keys = {
        "hysteresis": "field = [1, 0]\n",
        "minimum-energy-path": "final = { state = 'aligned', direction = [0, 0, -1] }\n",
    }
    study = tmp_path / "study.toml"
    study.write_text(
        f"replicas = {replicas}\n[lattice]\ntype = 'square'\nsize = [64, 64]\n"
        f"[[exchange]]\nshell = 1\nJ = 1\n[[stage]]\nkind = '{stage}'\n" + keys.get(stage, "")
    )
    run = run_on_ranks(ranks, "run", study, "-o", tmp_path / "minimum.h5")
    assert run.returncode == 2, run.stderr
    assert run.stderr.count(f"too few replicas for the stage {stage}") == 1, run.stderr
    assert advice in run.stderr
    assert not (tmp_path / "minimum.h5").exists()


def test_without_the_module_ranks_are_refused(tmp_path):
    program = tmp_path / "larmor"
    shutil.copy2(LARMOR, program)
    study = write_study(tmp_path / "study.toml", replicas=REPLICAS, sweeps=60)
    arguments = ["run", str(study), "-o", str(tmp_path / "none.h5")]
    run = subprocess.run(
        ["mpirun", "--oversubscribe", "-n", "2", str(program), *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert run.returncode == 3
    assert "one of 2 ranks" in run.stderr and "liblarmor_mpi.so" in run.stderr
    assert subprocess.run([program, *arguments], capture_output=True).returncode == 0
