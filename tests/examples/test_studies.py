"""The program accepts every study of the examples."""
# Rooms: study

import subprocess

import pytest

from running import LARMOR, ROOT, require_potential

EXAMPLES = ROOT / "examples"
# The input of `larmor fit` is not a study.
STUDIES = sorted(set(EXAMPLES.glob("*/*.toml")) - {EXAMPLES / "fit-tungsten" / "fit.toml"})


def test_every_example_has_a_study_or_a_script_that_makes_one():
    folders = {path for path in EXAMPLES.iterdir() if path.is_dir()}
    assert folders - {study.parent for study in STUDIES} == {
        EXAMPLES / name for name in ("fit-tungsten", "notebooks", "portfolio-selection")}


@pytest.mark.parametrize("study", STUDIES, ids=[f"{study.parent.name}/{study.stem}" for study in STUDIES])
def test_check_accepts_it(study):
    if "[[snap]]" in study.read_text():
        require_potential("WBe_Wood_PRB2019.snap")
    checked = subprocess.run([LARMOR, "check", str(study)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
