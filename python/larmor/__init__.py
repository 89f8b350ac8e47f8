"""Larmor in Python: studies, runs and results.

    import larmor

    study = larmor.Study(title="Heisenberg ferromagnet", seed=1, replicas=16)
    study.lattice(type="sc", size=16)
    study.exchange(shell=1, J=1.0)
    study.stage("monte-carlo", temperature=1.44, sweeps=20_000)

    results = larmor.run(study, "results.h5")
    value, error = results.stages["monte-carlo"].averages["magnetisation"]

`larmor.open("results.h5")` reads results again, and `larmor plot results.h5` draws them.
"""

from typing import TYPE_CHECKING

from .atom_curves import AtomCurves
from .crystal_symmetry import BondClass, SiteClass, Symmetry, symmetry
from .engine import Simulation, start
from .errors import (
    InputError,
    InternalError,
    Interrupted,
    LarmorError,
    LarmorWarning,
    MachineError,
    MissingPackage,
    NothingToDraw,
    NotInResults,
    ResultsError,
    UnphysicalError,
)
from .estimate import Estimate
from .evaluation import Evaluated, Potential, Structure, evaluate
from .fit_results import Fit, FitErrors, LeftOut, Parity
from .fitting import fit
from .ladder import Ladder
from .lattice_averages import AxisCorrelation, AxisCorrelations, ClusterSizes, SiteAverages
from .lifetimes import Escape, Lifetimes, StationaryState
from .lowest_states import LowestState, LowestStates
from .model import Couplings, Model
from .overlap import Overlap
from .pair_correlations import PairCorrelations, PairCorrelationsInTime
from .path import LoopNumber, Path, Saddle
from .quantities import Levels, Quantities, Quantity, Sector
from .results import Point, Results, Stages
from .results import open_results as open  # noqa: A001  (larmor.open reads well; `open` stays ours)
from .reweighted import Curve, Reweighted, ReweightedSystem
from .running import Plan, check, explain, resume, run, verify
from .samples import Average, Series, Trajectory
from .scan import Axis, BinderCrossing, Grid, Scan, StagePoints
from .solving import Solution, solve
from .spin_waves import DensityOfStates, LongWaves, MagneticCell, SpinWaves
from .stage import Stage, Sweep
from .structure_factor import StructureFactor
from .study import Study
from .transitions import Transitions

if TYPE_CHECKING:
    __version__: str

__all__ = [
    "AtomCurves",
    "Average",
    "Axis",
    "AxisCorrelation",
    "AxisCorrelations",
    "BinderCrossing",
    "BondClass",
    "ClusterSizes",
    "Couplings",
    "Curve",
    "DensityOfStates",
    "Escape",
    "Estimate",
    "Evaluated",
    "Fit",
    "FitErrors",
    "Grid",
    "InputError",
    "InternalError",
    "Interrupted",
    "Ladder",
    "LarmorError",
    "LarmorWarning",
    "LeftOut",
    "Levels",
    "Lifetimes",
    "LongWaves",
    "LoopNumber",
    "LowestState",
    "LowestStates",
    "MachineError",
    "MagneticCell",
    "MissingPackage",
    "Model",
    "NotInResults",
    "NothingToDraw",
    "Overlap",
    "PairCorrelations",
    "PairCorrelationsInTime",
    "Parity",
    "Path",
    "Plan",
    "Point",
    "Potential",
    "Quantities",
    "Quantity",
    "Results",
    "ResultsError",
    "Reweighted",
    "ReweightedSystem",
    "Saddle",
    "Scan",
    "Sector",
    "Series",
    "Simulation",
    "SiteAverages",
    "SiteClass",
    "Solution",
    "SpinWaves",
    "Stage",
    "StagePoints",
    "Stages",
    "StationaryState",
    "Structure",
    "StructureFactor",
    "Study",
    "Sweep",
    "Symmetry",
    "Trajectory",
    "Transitions",
    "UnphysicalError",
    "__version__",
    "check",
    "evaluate",
    "explain",
    "fit",
    "open",
    "resume",
    "run",
    "solve",
    "start",
    "symmetry",
    "verify",
]


def __getattr__(name: str) -> str:
    # The version is looked up only when it is needed, since the look-up reads files.
    if name == "__version__":
        from .version import find_version

        return find_version()
    raise AttributeError(f"module 'larmor' has no attribute '{name}'")
