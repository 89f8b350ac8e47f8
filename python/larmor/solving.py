"""Ground states of Ising and QUBO problems by `larmor solve`."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

from .errors import InputError
from .options import Backend, PathLike, words_of
from .program import Running
from .progress_display import display_for
from .study import Study

Vartype = Literal["SPIN", "BINARY"]


class BinaryQuadraticModel(Protocol):
    """A model of dimod. This package does not require dimod."""

    @property
    def linear(self) -> Mapping[Any, Any]: ...
    @property
    def quadratic(self) -> Mapping[tuple[Any, Any], Any]: ...
    @property
    def offset(self) -> Any: ...
    @property
    def vartype(self) -> Any: ...


class Graph(Protocol):
    """A graph of networkx. This package does not require networkx."""

    def is_directed(self) -> bool: ...
    def is_multigraph(self) -> bool: ...
    @property
    def nodes(self) -> Any: ...
    @property
    def edges(self) -> Any: ...


Problem = BinaryQuadraticModel | Graph | Mapping[Any, float] | Study | PathLike


@dataclass(frozen=True)
class TimeToSolution:
    """Time after which repeated searches have found the solution with a probability of 99 %."""

    value: float | None
    """None if it is not known."""
    lower: float | None
    upper: float | None
    """Ends of the central 68 % of a bootstrap; None if unknown."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """The proof of a ground state."""

    energy: float
    state: dict[Any, int]
    degeneracy: int | None
    """Number of ground states; None if the next energy is equal within rounding."""
    gap: float | None
    """Distance of the next energy; None if every state has one energy, or without `degeneracy`."""
    method: str
    """"enumeration" or "elimination"."""
    search_found_it: bool

    def __repr__(self) -> str:
        number = "unknown number of" if self.degeneracy is None else str(self.degeneracy)
        states = "state" if self.degeneracy == 1 else "states"
        gap = "" if self.gap is None else f", gap {self.gap:.10g}"
        return f"<Certificate: energy {self.energy:.10g}, {number} {states}{gap}, by {self.method}>"


@dataclass(frozen=True, repr=False)
class Solution:
    """The lowest state that a search or a proof has found (the highest with `maximise`)."""

    energy: float
    state: dict[Any, int]
    """Spins -1 and 1, or bits 0 and 1, by the labels of the problem."""
    certificate: Certificate | None
    """The proof that no state is lower; None without one."""
    repeats: int
    """Number of complete repeats of the search."""
    found: int
    """Number of repeats that reached the solution."""
    sweeps_to_solution: TimeToSolution
    """In sweeps of every temperature."""
    time_to_solution: TimeToSolution
    """In seconds of one thread."""
    details: dict[str, Any]
    """The whole file of `larmor solve`: see docs/solve.md."""

    @property
    def is_proven(self) -> bool:
        """Is the state a proven ground state?"""
        return self.certificate is not None

    def __repr__(self) -> str:
        proof = "proven" if self.is_proven else f"found by {self.found} of {self.repeats} repeats"
        return f"<Solution: energy {self.energy:.10g} of {len(self.state)} variables, {proof}>"


def solve(problem: Problem, *, vartype: Vartype = "SPIN", ferromagnetic: bool = False, maximise: bool = False,
          format: str | None = None, sample: int | None = None, anneal: bool = False, repeats: int | None = None,
          sweeps: int | None = None, seconds: float | None = None, target_energy: float | None = None,
          coldest: float | None = None, hottest: float | None = None, rungs: int | None = None,
          certify: bool = False, backend: Backend | None = None, seed: int | None = None,
          threads: int | None = None, output: PathLike | None = None, force: bool = False, progress: bool = True,
          program: PathLike | None = None) -> Solution:
    """Searches for the ground state of H = offset + sum a_i v_i + sum b_ij v_i v_j, where each pair counts once.

    `problem` is one of
    - a BinaryQuadraticModel of dimod;
    - an undirected graph of networkx: `weight` of an edge is b_ij (1 if it is left out), `bias` of a node is a_i;
    - a dictionary: `{(i, j): b_ij}`, where `(i, i)` or `i` gives a_i;
    - a Study of Ising spins, or the path of a file in a format of `larmor solve`.
    A positive b_ij between spins is antiferromagnetic. With `ferromagnetic`, H = - sum b_ij v_i v_j, as in a study.
    A model, graph or dictionary without variables has one state, whose energy is the offset.

    Ctrl-C ends the search; a file `output` then has the best state so far. Raises InputError for a mistake in the
    problem.
    @param vartype variables of a graph or dictionary: spins -1 and 1 ("SPIN"), or bits 0 and 1 ("BINARY")
    @param maximise searches for the largest value
    @param sample number of the sample of a study, from 0
    @param anneal simulated annealing instead of parallel tempering
    @param seconds time limit of the search; results then depend on the machine
    @param target_energy energy at which a repeat ends
    @param certify also proves the ground state, for up to 40 variables or sparse problems
    @param output file for the solution, JSON; None: no file. Its variables are numbers if `problem` is a model, graph
        or dictionary, in the order in which the variables occur first
    @param force replaces an existing `output`
    """
    words = words_of(format=format, sample=sample, repeats=repeats, sweeps=sweeps, seconds=seconds,
                     target_energy=target_energy, coldest=coldest, hottest=hottest, rungs=rungs, backend=backend,
                     seed=seed, threads=threads, ferromagnetic=ferromagnetic, maximise=maximise, anneal=anneal,
                     certify=certify, force=force)
    if isinstance(problem, Study):
        words += ["--folder", str(problem.folder or Path.cwd())]
    source = problem if isinstance(problem, (str, os.PathLike, Study)) else _terms(problem, vartype)
    labels = source.labels if isinstance(source, _Terms) else None
    if isinstance(source, _Terms) and not labels:
        return _without_variables(source.offset, output)
    with tempfile.TemporaryDirectory(prefix="larmor-") as folder:
        written = Path(output) if output is not None else Path(folder, "solution.json")
        file = _problem_file(source, Path(folder))
        display = display_for(progress)
        try:
            ended = Running(["solve", str(file), "--output", str(written), "--progress", "json", *words],
                            program=program).wait(display.show)
        finally:
            display.close()
        ended.raise_error()
        return read_solution(written, labels)


def read_solution(path: PathLike, labels: list[Any] | None = None) -> Solution:
    """The solution in a file of `larmor solve`. @param labels labels of the variables 0, 1, ..; None: as in the file"""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    names = found["best"]["variable_labels"]
    variables = [tuple(name) if isinstance(name, list) else name for name in names]
    if labels is not None:
        variables = [labels[int(name)] for name in names]
    proof = found.get("certificate")
    certificate = None if proof is None else Certificate(
        proof["energy"], dict(zip(variables, proof["state"], strict=True)),
        None if proof["degeneracy"] is None else int(proof["degeneracy"]), proof["gap"], proof["method"],
        proof["search_found_it"])
    best = found["best"] if certificate is None or certificate.search_found_it else proof
    search = found["search"]
    return Solution(best["energy"], dict(zip(variables, best["state"], strict=True)), certificate,
                    search["repeats"], search["found"], TimeToSolution(**search["time_to_solution"]),
                    TimeToSolution(**found["timing"]["time_to_solution"]), found)


Linear = dict[Hashable, Any]
Quadratic = dict[tuple[Hashable, Hashable], Any]


@dataclass(frozen=True)
class _Terms:
    """The terms of a problem. `vartype` is "SPIN" or "BINARY"."""

    linear: Linear
    quadratic: Quadratic
    offset: float
    vartype: str

    @cached_property
    def labels(self) -> list[Any]:
        """Labels of the variables 0, 1, .. in the order in which they occur first."""
        return list(dict.fromkeys([*self.linear, *(label for pair in self.quadratic for label in pair)]))

    def text(self) -> str:
        """The problem in the format coo."""
        number = {label: n for n, label in enumerate(self.labels)}
        rows = [f"# vartype={self.vartype}", f"# offset={self.offset!r}"]
        # Every variable has a row, also without a coefficient.
        rows += [f"{n} {n} {float(self.linear.get(label, 0))!r}" for label, n in number.items()]
        rows += [f"{number[i]} {number[j]} {float(value)!r}" for (i, j), value in self.quadratic.items()]
        return "\n".join([*rows, ""])


def _problem_file(problem: PathLike | Study | _Terms, folder: Path) -> Path:
    """The file of a problem, which is written to the folder unless it exists."""
    if isinstance(problem, (str, os.PathLike)):
        return Path(problem)
    name, text = ("study.toml", problem.to_toml()) if isinstance(problem, Study) else ("problem.coo", problem.text())
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def _without_variables(energy: float, output: PathLike | None) -> Solution:
    """The solution of a problem without variables."""
    if output is not None:
        raise InputError("a problem without variables has no file of its solution",
                         remedy="leave output out, or give at least one variable")
    unknown = TimeToSolution(None, None, None)
    return Solution(energy, {}, Certificate(energy, {}, 1, None, "enumeration", False), 0, 0, unknown, unknown, {})


def _terms(problem: Any, vartype: Any) -> _Terms:
    """The terms of a model, graph or dictionary. Raises InputError for other problems, and for coefficients that are
    not finite. @param vartype of a graph or dictionary, also as dimod's enumeration of these names"""
    if hasattr(problem, "linear") and hasattr(problem, "quadratic"):
        linear, quadratic = dict(problem.linear), dict(problem.quadratic)
        offset, vartype = problem.offset, problem.vartype
    else:
        linear, quadratic = _sorted_terms(*_rows(problem))
        offset = 0.0
    for term, value in [*linear.items(), *quadratic.items(), ("offset", offset)]:
        if not math.isfinite(value):
            raise InputError(f"the coefficient of {term!r} is {value}", remedy="give a finite number")
    vartype = getattr(vartype, "name", vartype)
    if vartype not in ("SPIN", "BINARY"):
        raise InputError(f"vartype is {vartype!r}", remedy='give "SPIN" or "BINARY"')
    return _Terms(linear, quadratic, float(offset), vartype)


def _rows(problem: Any) -> tuple[Linear, Iterable[tuple[Any, Any, Any]]]:
    """Coefficients of the nodes of a graph, and terms (i, j, value) of a graph or dictionary."""
    if hasattr(problem, "edges") and hasattr(problem, "nodes"):
        if problem.is_directed() or problem.is_multigraph():
            raise InputError("the graph has directions or parallel edges", remedy="give a networkx.Graph")
        return ({node: data.get("bias", 0) for node, data in problem.nodes(data=True)},
                ((i, j, data.get("weight", 1)) for i, j, data in problem.edges(data=True)))
    if isinstance(problem, Mapping):
        if wrong := [key for key in problem if isinstance(key, tuple) and len(key) != 2]:
            raise InputError(f"the key {wrong[0]!r} of the dictionary is not a pair",
                             remedy="give {(i, j): b_ij, i: a_i}; H is at most quadratic")
        return {}, ((*key, value) if isinstance(key, tuple) else (key, key, value) for key, value in problem.items())
    raise InputError(f"a value of type {type(problem).__name__} is not a problem",
                     remedy="give a BinaryQuadraticModel, a graph, a dictionary, a Study or a path")


def _sorted_terms(linear: Linear, terms: Iterable[tuple[Any, Any, Any]]) -> tuple[Linear, Quadratic]:
    """Adds terms (i, j, value), where i = j is linear. Raises InputError for a pair that is given twice."""
    own, quadratic = set(), {}
    for i, j, value in terms:
        if i == j and i not in own:
            own.add(i)
            linear[i] = linear.get(i, 0) + value
        elif i == j or (i, j) in quadratic or (j, i) in quadratic:
            raise InputError(f"the pair {i!r}, {j!r} is given twice", remedy="give the sum of its coefficients once")
        else:
            quadratic[i, j] = value
    return linear, quadratic
