"""The publications of the methods that a study used, as citations and BibTeX.

references.bib has one entry on each line. The rules below tell which entries belong to which keys of a study."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from ..results import Results
from .study_text import input_of_fit, is_nonzero, study_tree


@dataclass(frozen=True)
class Reference:
    """One publication. uses: methods of the study for which it stands."""

    key: str
    citation: str
    bibtex: str
    uses: tuple[str, ...] = ()


_Stage = dict[str, Any]
_Rule = tuple[str, tuple[str, ...], Callable[[_Stage], bool]]

_SAMPLING = ("monte-carlo", "anneal", "tempering", "population-annealing")


def _is(kind: str, **values: Any) -> Callable[[_Stage], bool]:
    """Does a stage have this kind and these values?"""
    return lambda stage: stage.get("kind") == kind and all(stage.get(key) == value for key, value in values.items())


def _samples_by(*samplers: str) -> Callable[[_Stage], bool]:
    return lambda stage: stage.get("kind") in _SAMPLING and stage.get("sampler") in samplers


def _measures(*names: str) -> Callable[[_Stage], bool]:
    return lambda stage: bool(set(names) & set(_measured(stage)))


def _measured(stage: _Stage) -> dict[str, _Stage]:
    """The entries of `measure` by name; an entry without keys has an empty table."""
    entries = stage.get("measure", [])
    named = [
        {"what": entry} if isinstance(entry, str) else entry for entry in entries if isinstance(entry, (str, dict))
    ]
    return {str(entry.get("what", "")): entry for entry in named}


def _has_heat_bath(stage: _Stage) -> bool:
    return is_nonzero(stage.get("temperature")) or bool(stage.get("temperature_schedule"))


def _integrates_by(name: str) -> Callable[[_Stage], bool]:
    def used(stage: _Stage) -> bool:
        chosen = stage.get("integrator", "auto")
        if chosen == "auto":
            chosen = "depondt" if _has_heat_bath(stage) else "rk4"
        return stage.get("kind") == "dynamics" and chosen == name

    return used


def _spacing(*names: str) -> Callable[[_Stage], bool]:
    def used(stage: _Stage) -> bool:
        ladders = (stage.get("temperature"), stage.get("field"))
        return stage.get("kind") == "tempering" and any(
            isinstance(ladder, dict) and ladder.get("spacing") in names for ladder in ladders
        )

    return used


def _torque(kind: str) -> Callable[[_Stage], bool]:
    return lambda stage: any(
        isinstance(torque, dict) and torque.get("kind") == kind for torque in stage.get("torque", [])
    )


def _balanced(stage: _Stage) -> bool:
    return bool(_measured(stage).get("structure-factor", {}).get("detailed_balance"))


# Methods of stages of vector spins, Ising and Potts models, phi^4 fields and quantum spins.
_OF_STAGES: tuple[_Rule, ...] = (
    ("Metropolis updates", ("metropolis1953",), _samples_by("metropolis")),
    ("Glauber updates", ("glauber1963",), _samples_by("glauber")),
    ("Swendsen-Wang clusters", ("swendsen1987",), _samples_by("swendsen-wang")),
    ("Wolff clusters", ("wolff1989",), _samples_by("wolff")),
    (
        "over-relaxation",
        ("creutz1987",),
        lambda stage: stage.get("kind") in _SAMPLING and bool(stage.get("over_relaxation")),
    ),
    ("simulated annealing", ("kirkpatrick1983",), _is("anneal")),
    ("parallel tempering", ("hukushima1996",), _is("tempering")),
    ("ladder with even acceptance", ("predescu2004", "syed2022"), _spacing("constant-acceptance")),
    ("ladder tuned by the flow of replicas", ("katzgraber2006",), _spacing("flow")),
    ("population annealing", ("hukushima2003", "machta2010", "wang2015"), _is("population-annealing")),
    (
        "temperature steps of a given overlap",
        ("barash2017",),
        lambda stage: stage.get("kind") == "population-annealing"
        and isinstance(stage.get("temperature"), dict)
        and "overlap" in stage["temperature"],
    ),
    ("isoenergetic clusters", ("houdayer2001", "zhu2015"), lambda stage: bool(stage.get("isoenergetic_every"))),
    ("overlaps", ("edwards1975", "katzgraber2001", "katzgraber2006universality"), _measures("overlap")),
    (
        "heat bath of spin dynamics",
        ("garciapalacios1998",),
        lambda stage: stage.get("kind") == "dynamics" and _has_heat_bath(stage),
    ),
    ("Depondt-Mertens integrator", ("depondt2009",), _integrates_by("depondt")),
    ("Heun integrator", ("garciapalacios1998",), _integrates_by("heun")),
    ("semi-implicit integrator", ("mentink2010",), _integrates_by("semi-implicit")),
    ("implicit midpoint rule", ("daquino2005",), _integrates_by("midpoint")),
    ("spin-transfer torque", ("zhang2004",), _torque("spin-transfer")),
    ("torque of a polarised current", ("slonczewski1996",), _torque("polarised")),
    ("topological charge", ("berg1981",), _measures("topological-charge")),
    ("temperature from spins", ("rugh1997", "nurdin2000"), _measures("spin-temperature")),
    ("detailed balance of S(q,w)", ("huberman2008",), _balanced),
    (
        "errors by binning",
        ("flyvbjerg1989",),
        lambda stage: stage.get("kind") == "monte-carlo" and "structure-factor" in _measured(stage),
    ),
    ("linear spin waves", ("colpa1978",), _is("spin-waves")),
    ("transfer matrix", ("kramers1941", "wu2000"), _is("transfer-matrix")),
    ("Lanczos method", ("lanczos1950", "wu2000", "lin1990"), _is("spectrum")),
    ("random states at temperatures", ("jaklic1994", "aichhorn2003"), _is("typicality")),
    ("quantum Monte Carlo", ("suzuki1976", "rieger1999"), _is("quantum-monte-carlo")),
    (
        "clusters of world lines",
        ("swendsen1987", "nakamura2008"),
        lambda stage: stage.get("kind") == "quantum-monte-carlo"
        and stage.get("sampler", stage.get("updates")) in ("lines", "clusters"),
    ),
)

# Methods that only vector spins have.
_OF_SPINS: tuple[_Rule, ...] = (
    ("heat bath of spins", ("miyatake1986",), _samples_by("heat-bath")),
    (
        "L-BFGS on spheres",
        ("nocedal1980", "ivanov2021"),
        lambda stage: stage.get("kind") in ("minimise", "hysteresis") and stage.get("method") == "lbfgs",
    ),
    (
        "geodesic nudged elastic band",
        ("bessarab2015", "henkelman2000climbing", "henkelman2000tangent"),
        _is("minimum-energy-path"),
    ),
    (
        "springs weighted by energy",
        ("asgeirsson2021",),
        lambda stage: stage.get("kind") == "minimum-energy-path" and stage.get("spring_ratio", 1) > 1,
    ),
    (
        "lifetimes",
        ("bessarab2012", "langer1969", "amestoy2001"),
        lambda stage: stage.get("kind") == "minimum-energy-path" and "lifetime" in stage,
    ),
)

_OF_ATOMS: tuple[_Rule, ...] = (
    ("velocity Verlet", ("swope1982",), _is("md")),
    (
        "Langevin thermostat (BAOAB)",
        ("leimkuhler2013",),
        lambda stage: stage.get("thermostat") == "langevin" or stage.get("kind") == "parsplice",
    ),
    ("stochastic velocity rescaling", ("bussi2007",), lambda stage: stage.get("thermostat") == "bussi"),
    ("Nosé-Hoover chains", ("martyna1992",), lambda stage: stage.get("thermostat") == "nose-hoover"),
    ("MTK barostat", ("martyna1994", "tuckerman2006"), lambda stage: stage.get("barostat") == "mtk"),
    (
        "stochastic cell rescaling",
        ("bernetti2020",),
        lambda stage: stage.get("barostat") == "stochastic-cell-rescaling",
    ),
    (
        "boxes of other shapes",
        ("deltatto2022",),
        lambda stage: stage.get("barostat") == "stochastic-cell-rescaling"
        and stage.get("shape", "isotropic") != "isotropic",
    ),
    ("vibrations from velocities", ("dickey1969",), _measures("phonon-density-of-states")),
    ("replica-exchange dynamics", ("sugita1999",), _is("tempering")),
    ("L-BFGS", ("nocedal1980",), _is("minimise", method="lbfgs")),
    (
        "FIRE",
        ("bitzek2006", "guenole2020"),
        lambda stage: _is("minimise", method="fire")(stage) or stage.get("kind") == "minimum-energy-path",
    ),
    ("nudged elastic band", ("henkelman2000climbing", "henkelman2000tangent"), _is("minimum-energy-path")),
    (
        "springs weighted by energy",
        ("asgeirsson2021",),
        lambda stage: stage.get("kind") == "minimum-energy-path" and stage.get("spring_ratio", 1) > 1,
    ),
    (
        "harmonic rates",
        ("vineyard1957",),
        lambda stage: stage.get("kind") == "minimum-energy-path" and "lifetime" in stage,
    ),
)

# Methods of trajectories from state to state, of atoms and of particles.
_OF_STATES: tuple[_Rule, ...] = (
    (
        "trajectory splicing",
        ("perez2016", "lebris2012"),
        lambda stage: stage.get("kind") == "parsplice" and stage.get("method", "parsplice") == "parsplice",
    ),
    ("parallel replicas", ("voter1998", "lebris2012"), _is("parsplice", method="parallel-replica")),
)


def _uses(study: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Methods of a study, and the keys of their publications."""
    kind = study.get("model", {}).get("kind", "spins")
    stages = [stage for stage in study.get("stage", []) if isinstance(stage, dict)]
    rules = {"spins": _OF_STAGES + _OF_SPINS, "atoms": _OF_ATOMS + _OF_STATES, "particles": _OF_STATES}.get(
        kind, _OF_STAGES
    )
    for use, keys, is_used in rules:
        if any(is_used(stage) for stage in stages):
            yield use, keys
    if "dipolar" in study:
        yield "dipole sums", ("ewald1921", "deleeuw1980")
    if study.get("kitaev"):
        yield "Kitaev exchange", ("rau2014",)
    if any(is_nonzero(term.get("disorder")) for term in study.get("exchange", []) if isinstance(term, dict)):
        yield "random couplings", ("edwards1975",)
    if "snap" in study:
        yield "SNAP potential", ("thompson2015",)
    if "zbl" in study:
        yield "ZBL repulsion", ("ziegler1985",)


# Stages whose errors come from the autocorrelation of series, and stages that always draw random numbers.
_WITH_SERIES = ("monte-carlo", "anneal", "tempering", "dynamics", "md")
_RANDOM = (*_SAMPLING, "md", "typicality", "quantum-monte-carlo", "parsplice")


def _kinds_with_averages(results: Results) -> list[str]:
    if results.is_scan:
        return [name.split("-", 1)[1] for name in results.scan.summary]
    return [stage.kind for stage in results.stages if len(stage.averages)]


def _uses_random_numbers(study: dict[str, Any]) -> bool:
    stages = [stage for stage in study.get("stage", []) if isinstance(stage, dict)]
    return study.get("initial", {}).get("state") == "random" or any(
        stage.get("kind") in _RANDOM or (stage.get("kind") == "dynamics" and _has_heat_bath(stage)) for stage in stages
    )


def references_of(results: Results) -> list[Reference]:
    """Larmor itself, then the publications of the methods that the study of a results file used."""
    uses: dict[str, list[str]] = {}

    def add(use: str, keys: tuple[str, ...]) -> None:
        for key in keys:
            if use not in uses.setdefault(key, []):
                uses[key].append(use)

    study = study_tree(results)
    for use, keys in _uses(study):
        add(use, keys)
    if any(kind in _WITH_SERIES for kind in _kinds_with_averages(results)):
        add("errors of averages", ("wolff2004",))
    if any("binder_cumulant" in stage.averages for stage in results.stages) or (
            results.is_scan and any("binder_cumulant" in grids for grids in results.scan.summary.values())):
        add("Binder cumulant", ("binder1981",))
    if results.is_reweighted:
        add("multi-histogram reweighting", ("ferrenberg1989", "shirts2008"))
    if results.is_fit:
        add("SNAP potential", ("thompson2015",))
        if re.search(r"quadraticflag\s*=\s*(1|true)", input_of_fit(results)):
            add("quadratic SNAP", ("wood2018",))
        if results.fit.details.get("method") in ("qr", "svd", "ridge"):
            add("reduction to a triangle", ("demmel2012",))
    elif _uses_random_numbers(study):
        add("random numbers (Philox)", ("salmon2011",))
    return [
        _larmor(results),
        *(Reference(key, _citation(_entries()[key]), _bibtex(key), tuple(of)) for key, of in uses.items()),
    ]


def _larmor(results: Results) -> Reference:
    """The entry of CITATION.cff, with the version that made the results."""
    version = str(results.legs[0].get("version", "")) if results.legs else ""
    title = "Larmor: an engine for magnetic and lattice systems"
    version = version if re.fullmatch(r"[\w.+-]*", version) else ""
    of_version = f", version = {{{version}}}" if version else ""
    return Reference(
        "larmor",
        f"The Larmor developers. {title}{f', version {version}' if version else ''}.",
        f"@software{{larmor, author = {{{{The Larmor developers}}}}, title = {{{{{title}}}}}{of_version}}}",
        (),
    )


@cache
def _lines() -> dict[str, str]:
    text = resources.files(__package__).joinpath("references.bib").read_text(encoding="utf-8")
    return {re.match(r"@\w+\{([^,]+),", line)[1]: line for line in text.splitlines() if line.startswith("@")}


@cache
def _entries() -> dict[str, dict[str, str]]:
    """Fields of all entries by key."""
    return {key: {name: _plain(value) for name, value in _fields(line)} for key, line in _lines().items()}


def _fields(line: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"(\w+) = \{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", line):
        yield match[1], match[2]


def _bibtex(key: str) -> str:
    """The entry with one field on each line."""
    line = _lines()[key]
    kind = re.match(r"@(\w+)", line)[1]
    fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in _fields(line))
    return f"@{kind}{{{key},\n{fields}\n}}"


_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "v": "\u030c"}


def _plain(text: str) -> str:
    """A value of BibTeX as plain text: without brackets, with accents."""
    text = re.sub(
        r"\{\\(['`^\"v])\s*(\w)\}", lambda match: unicodedata.normalize("NFC", match[2] + _ACCENTS[match[1]]), text
    )
    return text.replace("{", "").replace("}", "").replace("--", "–")


def _citation(entry: dict[str, str]) -> str:
    authors = entry["author"].split(" and ")
    named = ", ".join(authors) if len(authors) < 7 else f"{authors[0]} et al."
    where = entry.get("journal") or entry.get("booktitle") or entry.get("publisher", "")
    volume, pages = (f" {entry[name]}" if name in entry else "" for name in ("volume", "pages"))
    place = f"{where}{volume}{',' if volume and pages else ''}{pages} ({entry['year']})"
    doi = f", doi:{entry['doi']}" if "doi" in entry else ""
    return f"{named.rstrip('.')}. {entry['title']}. {place}{doi}."
