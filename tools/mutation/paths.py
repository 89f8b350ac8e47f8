"""Mutants of larmor/paths on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "folds_left": Mutant(
        "larmor/paths/geometry.cpp",
        "cosine < «fold_cosine»",
        "-2",
        "GeodesicNeb.UnfoldsAPathThatTurnsBackOnItself",
    ),
    "slopes_tell_nothing_at_extrema": Mutant(
        "larmor/paths/geometry.cpp",
        "i != path.climbing && cosine > «smooth_cosine»;",
        "1",
        "GeodesicNeb.DoesNotWindAroundAnAxisThatCostsNothing",
    ),
    "slopes_told_at_kinks": Mutant(
        "larmor/paths/geometry.cpp",
        "extremal && i != path.climbing && «cosine» > smooth_cosine;",
        "1",
        "GeodesicNeb.ALongPathThatIsNoHigherGoesOn",
    ),
    "springs_ahead_soften_unnoticed": Mutant(
        "larmor/paths/springs.cpp",
        "change += std::max(0.0, «-softens * to_next[i]»);",
        "0.0",
        "GeodesicNeb.StiffSpringsComeToRest",
    ),
    "springs_behind_soften_unnoticed": Mutant(
        "larmor/paths/springs.cpp",
        "change += std::max(0.0, «softens * to_next[i - 1]»);",
        "0.0",
        "GeodesicNeb.StiffSpringsComeToRest",
    ),
    "zero_modes_without_temperature": Mutant(
        "larmor/paths/escape.cpp",
        "std::exp(log_entropy + «half_extra_modes» * std::log(turn * thermal_energy));",
        "0.0",
        "HarmonicRate.OfAChainWithACircleOfSaddlesHasTheirVolume",
    ),
}
