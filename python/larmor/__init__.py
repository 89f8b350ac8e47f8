"""Results of Larmor in Python.

    import larmor

    results = larmor.open("results.h5")
    value, error = results.stages["anneal"].averages["magnetisation"]

`python -m larmor plot results.h5` draws them.
"""

from .errors import NothingToDraw, NotInResults, ResultsError
from .fit import Fit, FitErrors, Parity
from .lifetimes import Lifetimes
from .model import Model
from .pair_correlations import PairCorrelations, PairCorrelationsInTime
from .results import Point, Results, Stages
from .results import open_results as open  # noqa: A001  (larmor.open reads well; `open` stays ours)
from .reweighted import Curve, Reweighted, ReweightedSystem
from .scan import Axis, BinderCrossing, Grid, Scan, StagePoints
from .spin_waves import DensityOfStates, SpinWaves
from .stage import Average, Ladder, Path, Series, Stage, Trajectory
from .structure_factor import StructureFactor

__all__ = [
    "Average",
    "Axis",
    "BinderCrossing",
    "Curve",
    "DensityOfStates",
    "Fit",
    "FitErrors",
    "Grid",
    "Ladder",
    "Lifetimes",
    "Model",
    "NothingToDraw",
    "NotInResults",
    "PairCorrelations",
    "PairCorrelationsInTime",
    "Parity",
    "Path",
    "Point",
    "Results",
    "ResultsError",
    "Reweighted",
    "ReweightedSystem",
    "Scan",
    "Series",
    "SpinWaves",
    "Stage",
    "StagePoints",
    "Stages",
    "StructureFactor",
    "Trajectory",
    "open",
]
