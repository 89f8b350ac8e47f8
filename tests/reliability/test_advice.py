"""What the user should know about lattice and Hamiltonian is said once, on stderr, by `check` and
`run`."""

import pytest

from program import larmor, run_study

EXCHANGE = "[[exchange]]\nshell = 1\nJ = 1\n"
STAGE = '[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nthermalisation = 0\nsweeps = 10\n'
CHAIN = '[lattice]\ntype = "chain"\nsize = [8]\n'
IRON = '[lattice]\ntype = "bcc"\nsize = [3, 3, 3]\n'


def notes(text):
    return [line for line in text.splitlines() if line.startswith("note: ")]


@pytest.mark.parametrize("text, words", [
    ('[lattice]\ntype = "sc"\nsize = [6, 6, 6]\n[[exchange]]\nshell = 12\nJ = 1\n',
     ["exchange: bonds reach around the periodic lattice", "along vector 1"]),
    ('[lattice]\ntype = "chain"\nsize = [2]\n' + EXCHANGE,
     ["exchange: bonds reach around", "3 along vector 1"]),
    (CHAIN + EXCHANGE + "[[dmi]]\natoms = [0, 0]\noffset = [[5, 0, 0]]\nstrength = 0.1\n",
     ["dmi: bonds reach around", "11 along vector 1"]),
    ('[lattice]\ntype = "chain"\nsize = [2]\n' + EXCHANGE + "disorder = 0.5\n",
     ["exchange: some sites are coupled twice"]),
    (CHAIN + "[field]\nB = [0, 0, 1]\n", ["no term couples two spins"]),
    (CHAIN, ["no term of a Hamiltonian"]),
    ('units = "material"\n' + IRON + '[[exchange]]\nshell = 1\nJ = "20 meV"\n',
     ["the lattice has no constant", "1 Å"]),
], ids=["shell", "two-sites", "offset", "disorder", "field-alone", "nothing", "no-constant"])
def test_check_and_run_say_it_once(tmp_path, text, words):
    stage = STAGE.replace("1.0", '"300 K"') if "material" in text else STAGE
    run, output = run_study(tmp_path, text + stage)
    check = larmor("check", tmp_path / "study.toml")
    for shown in (run, check):
        assert shown.returncode == 0, shown.stderr
        assert len(notes(shown.stderr)) == 1, shown.stderr
        for word in words:
            assert word in notes(shown.stderr)[0]
        assert "note: " not in shown.stdout
    assert output.exists()


@pytest.mark.parametrize("text", [
    CHAIN + EXCHANGE,
    '[lattice]\ntype = "chain"\nsize = [2]\nperiodic = false\n' + EXCHANGE,
    '[lattice]\ntype = "honeycomb"\nsize = [3, 3]\n' + EXCHANGE,
    CHAIN + "[dipolar]\nstrength = 1\nmethod = \"bonds\"\n",
], ids=["chain", "open", "honeycomb", "dipoles"])
def test_there_is_nothing_to_say(tmp_path, text):
    run, _ = run_study(tmp_path, text + STAGE)
    assert run.returncode == 0 and notes(run.stderr) == []
    assert notes(larmor("check", tmp_path / "study.toml").stderr) == []


@pytest.mark.parametrize("second, said", [("0.0 0.0 -1.0", True), ("0.0 0.0 1.0", False)],
                         ids=["antiferromagnet", "ferromagnet"])
def test_directions_of_a_momfile_are_not_used(tmp_path, second, said):
    (tmp_path / "positions").write_text("1 1 0 0 0\n2 1 0.5 0.5 0.5\n")
    (tmp_path / "moments").write_text(f"1 1 2.2 0.0 0.0 1.0\n2 1 2.2 {second}\n")
    run, _ = run_study(
        tmp_path,
        "[lattice]\ncell = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nsize = [3, 3, 3]\n"
        f'posfile = "positions"\nmomfile = "moments"\n{EXCHANGE}{STAGE}',
    )
    assert run.returncode == 0, run.stderr
    assert [("directions" in note, "'moments'" in note) for note in notes(run.stderr)] == (
        [(True, True)] if said else []
    )


def test_a_scan_says_it_for_its_first_point(tmp_path):
    scan = '[[scan]]\nkey = "seed"\nvalues = [1, 2, 3]\n'
    run, _ = run_study(tmp_path, CHAIN + "[field]\nB = [0, 0, 1]\n" + STAGE + scan)
    check = larmor("check", tmp_path / "study.toml")
    for shown in (run, check):
        assert shown.returncode == 0, shown.stderr
        assert len(notes(shown.stderr)) == 1 and "couples" in shown.stderr
