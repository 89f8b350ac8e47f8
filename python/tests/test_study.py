"""larmor.Study: values, tables and TOML texts, without the program."""

import enum
import pickle
from pathlib import Path

import numpy as np
import pytest

import larmor
from larmor.study_toml import read_toml

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(ROOT.glob("examples/*/*.toml"))


def small():
    study = larmor.Study(title='a "quoted"\nline', seed=3, replicas=16)
    study.lattice(type="sc", size=[4, 4, 4])
    study.exchange(shell=1, J=1.0)
    study.stage("monte-carlo", temperature=1.44, sweeps=20_000, measure=["energy", {"what": "site-spins", "every": 2}])
    return study


def typed(value):
    """The value with the types of its numbers: 1 and 1.0 are equal in Python, and differ in TOML."""
    if isinstance(value, dict):
        return {key: typed(entry) for key, entry in value.items()}
    return [typed(entry) for entry in value] if isinstance(value, list) else (type(value), value)


@pytest.mark.parametrize("path", EXAMPLES, ids=[f"{path.parent.name}/{path.stem}" for path in EXAMPLES])
def test_an_example_comes_back_from_its_text(path):
    study = larmor.Study.from_toml(path)
    tables = read_toml(path.read_text())
    assert study.folder == path.parent
    assert typed(dict(study)) == typed(tables)
    assert typed(read_toml(study.to_toml())) == typed(tables)
    assert larmor.Study.from_toml(study.to_toml()) == study == larmor.Study.from_dict(tables)


def test_methods_give_the_tables_of_a_text():
    study = larmor.Study(seed=3, units="material")
    study.model(kind="spins")
    study.lattice(type="sc")
    study.lattice(size=[4, 4, 4])
    study.exchange(shell=1, J="1 meV")
    study.exchange(shell=2, J="0.5 meV")
    study.random_field(width="1 T")
    study.field(B=["0 T", "0 T", "1 T"])
    study.stage("anneal", temperature={"from": "9 K", "to": "1 K", "factor": 0.5}, sweeps=100)
    study.scan(key="field.B.3", values=["1 T", "2 T"], with_=[{"key": "stage.1.field"}])
    assert study == larmor.Study.from_toml("""
        seed = 3
        units = "material"
        model.kind = "spins"
        field.B = ["0 T", "0 T", "1 T"]
        exchange = [{ shell = 1, J = "1 meV" }, { shell = 2, J = "0.5 meV" }]
        [lattice]
        type = "sc"
        size = [4, 4, 4]
        [[random-field]]
        width = "1 T"
        [[stage]]
        kind = "anneal"
        temperature = { from = "9 K", to = "1 K", factor = 0.5 }
        sweeps = 100
        [[scan]]
        key = "field.B.3"
        values = ["1 T", "2 T"]
        with = [{ key = "stage.1.field" }]
        """)
    assert "[lattice]\n" in study.to_toml() and study.to_toml().count("[[exchange]]\n") == 2


def test_tables_are_dictionaries():
    study = small()
    assert study["exchange"][0] == {"shell": 1, "J": 1.0}
    study["exchange"][0]["J"] = np.float64(2)
    study["exchange"].append({"shell": 2, "J": np.float32(0.5)})
    study["device"] = {"threads": 1}
    study |= {"samples": 4}
    assert read_toml(study.to_toml())["exchange"] == [{"shell": 1, "J": 2.0}, {"shell": 2, "J": 0.5}]
    assert read_toml(study.to_toml())["device"] == {"threads": 1} and study["samples"] == 4
    with pytest.raises(AttributeError):
        study.titel = "no key"


def test_a_copy_changes_by_itself():
    study = small()
    study.folder = "somewhere"
    copies = [study.copy(), pickle.loads(pickle.dumps(study))]
    for copy in copies:
        assert copy == study and isinstance(copy, larmor.Study) and copy.folder == study.folder
        copy["lattice"]["size"][0] = 5
        assert copy != study


def test_a_study_shows_its_text():
    assert small().to_toml() in repr(small()) and str(small()) == small().to_toml()


class Kind(enum.Enum):
    SIMPLE = "sc"


class TextKind(str, enum.Enum):
    SIMPLE = "sc"


@pytest.mark.parametrize("value, expected", [
    (np.int64(4), 4), (np.float64(0.1), 0.1), (np.float32(0.5), 0.5), (np.bool_(True), True), (np.array(3.5), 3.5),
    (np.arange(3), [0, 1, 2]), (np.eye(2), [[1.0, 0.0], [0.0, 1.0]]), (np.array([True]), [True]), ((1, 2), [1, 2]),
    (range(3), [0, 1, 2]), (Path("a") / "b", "a/b"), (Kind.SIMPLE, "sc"), (TextKind.SIMPLE, "sc"),
    (np.str_("sc"), "sc"), ('\\ "µ" \n\t\r\0\x7f\u2028é', '\\ "µ" \n\t\r\0\x7f\u2028é'), ("", ""), ([], []), ({}, {}),
    ({"a b": {'"': [[], {}]}}, {"a b": {'"': [[], {}]}}), (1e300, 1e300), (-1e-7, -1e-7), (5.0, 5.0), (-2**63, -2**63), ([np.int8(1), (np.float64(2),)], [1, [2.0]]), (float("inf"), float("inf")),
], ids=lambda value: ascii(value)[:20])
def test_values_become_those_of_toml(value, expected):
    study = larmor.Study()
    study["key"] = value
    assert typed(study["key"]) == typed(expected)
    assert typed(read_toml(study.to_toml())) == typed({"key": expected})


@pytest.mark.parametrize("value", [float("nan"), np.float32("nan"), None, {1, 2}, b"bytes", 1j, object(), 2**63, "\udcff",
                                   np.array([1, 2j])], ids=lambda value: ascii(value)[:12])
def test_other_values_are_errors_that_name_the_key(value):
    with pytest.raises(larmor.InputError) as refused:
        larmor.Study.from_dict({"stage": [{}, {"measure": [1, {"every": value}]}]})
    assert refused.value.key.startswith("stage.2.measure.2.every") and refused.value.remedy
    study = small()
    with pytest.raises(larmor.InputError, match="lattice.cell"):
        study.lattice(cell=[[1, 0, 0], [0, value, 0]])
    study["stage"][0]["measure"].append([value])
    with pytest.raises(larmor.InputError, match=r"stage.1.measure.3.1"):
        study.to_toml()


def test_masked_arrays_are_refused():
    study = small()
    sizes = np.ma.array([[4, 4], [0, 6]], mask=[[False, False], [True, False]])
    with pytest.raises(larmor.InputError, match="the array has masked entries") as refused:
        study.scan({"lattice.size": sizes})
    assert refused.value.key == "scan.2.values.2.1" or refused.value.key.endswith("values.2.1")
    assert "filled" in refused.value.remedy
    with pytest.raises(larmor.InputError, match="masked"):
        study.lattice(constant=np.ma.masked)
    study.lattice(size=np.ma.array([4, 4, 6], mask=False))
    assert study["lattice"]["size"] == [4, 4, 6]


def test_a_key_must_be_a_text():
    with pytest.raises(larmor.InputError, match="a key must be a text, not 3") as refused:
        larmor.Study.from_dict({"lattice": {3: 4}})
    assert refused.value.key == "lattice"


def test_keys_that_a_table_does_not_have_are_errors():
    with pytest.raises(TypeError, match=r"\[\[exchange\]\] has no key 'shel'; did you mean 'shell'\?"):
        small().exchange(shel=1)
    with pytest.raises(TypeError, match=r"\[\[random-field\]\] has no key 'zzz'; it has: width, "):
        small().random_field(zzz=1)
    with pytest.raises(TypeError, match="a study has no key 'titel'; did you mean 'title'"):
        larmor.Study(titel="a title")
    with pytest.raises(TypeError, match="did you mean 'values'"):
        small().scan(key="seed", value=[1, 2])
    with pytest.raises(TypeError, match="but not both"):
        small().scan({"seed": [1, 2]}, values=[1])
    with pytest.raises(TypeError, match=r"\[lattice\] takes its keys by name, such as type='sc'"):
        small().lattice("sc")
    with pytest.raises(TypeError, match="'monte-carlo' has no key 'temprature'; did you mean 'temperature'"):
        small().stage("monte-carlo", temprature=1.0)
    study = small()
    study["exchange"] = {"shell": 1}
    with pytest.raises(larmor.InputError, match="'exchange' is not a list of tables"):
        study.exchange(shell=2)


def test_a_scan_has_a_table_for_each_key():
    study = small()
    assert study.scan({"stage.1.temperature": np.array([1.0, 1.5]), "lattice.size": [(4, 4, 4), (6, 6, 6)]}) is study
    study.scan({"stage.1.temperature": {"from": 1.0, "to": 2.0, "points": 3}})
    assert read_toml(study.to_toml())["scan"] == [
        {"key": "stage.1.temperature", "values": {"from": 1.0, "to": 2.0, "points": 3}},
        {"key": "lattice.size", "values": [[4, 4, 4], [6, 6, 6]]}]


def test_a_text_that_is_not_toml_is_an_error_with_its_line(tmp_path):
    with pytest.raises(larmor.InputError) as refused:
        larmor.Study.from_toml("seed = 1\nlattice = = 2")
    assert refused.value.line == 2
    with pytest.raises(larmor.InputError, match="'study.txt' is neither a TOML text nor the name of a file"):
        larmor.Study.from_toml("study.txt")
    path = tmp_path / "study.toml"
    path.write_text("seed = 1\nseed = 2\n")
    with pytest.raises(larmor.InputError, match="study.toml:2: this is not TOML"):
        larmor.Study.from_toml(path)


def test_errors_come_back_from_another_process():
    error = larmor.InputError("wrong", key="stage.1", remedy="right")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is larmor.InputError and str(copy) == str(error) and vars(copy) == vars(error)


def test_a_saved_study_is_not_replaced(tmp_path):
    path = tmp_path / "study.toml"
    small().save(path)
    assert larmor.Study.from_toml(path) == small()
    with pytest.raises(FileExistsError):
        small().save(path)
    small().save(path, force=True)


def test_structures_of_atoms_are_saved_as_files(tmp_path):
    atoms = larmor.Structure(["W", "Be"], [[0, 0, 0], [1.5, 0.1, 1 / 3]], np.eye(3) * 3.2, masses=[184.0, 9.0])
    study = larmor.Study(units="material")
    study.structure(file=atoms)
    study.stage("minimum-energy-path", final={"file": [atoms, atoms]})
    with pytest.raises(larmor.InputError, match="structure.file: a TOML text cannot hold <1 structure of atoms>"):
        study.to_toml()
    study.save(tmp_path / "path.toml")
    saved = larmor.Study.from_toml(tmp_path / "path.toml")
    assert saved["structure"]["file"] == "path-structure.extxyz"
    text = (tmp_path / "path-structure.extxyz").read_text()
    assert text == atoms.text() and f"Be 1.5 0.1 {1 / 3!r} 9.0" in text
    assert (tmp_path / saved["stage"][0]["final"]["file"]).read_text() == 2 * text


def test_names_of_tables_do_not_hide_methods_of_dictionaries():
    own = set(vars(larmor.study_tables.StudyTables)) - {"__init__"}
    assert "random_field" in own
    assert {name for name in own if not name.startswith("__")}.isdisjoint(dir(dict))
