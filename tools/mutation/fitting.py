"""Mutants of larmor/fitting. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "weight_of_joined_rows_forgotten": Mutant(
        "larmor/fitting/reduction.cpp",
        "stacked << above, «weight» * below;",
        "1.0",
        "FitReduction.WeightsOfJoinedTrianglesMultiplyTheirRows",
    ),
    "blocks_by_portions": Mutant(
        "larmor/fitting/reduction.cpp",
        "if («open_.size() == rows_of_block * width») add_block({std::exchange(open_, {}), {}, {}});",
        "true",
        "FitReduction.BitsDependNeitherOnPortionsNorOnThreads",
    ),
    "rows_reduced_without_their_weights": Mutant(
        "larmor/fitting/reduction.cpp",
        "some[n * width + column] * («weight.empty() ? 1 : of_some[n]»)",
        "1",
        "FitReduction.MultipliesRowsByTheirWeights",
    ),
    "normal_equations_without_target": Mutant(
        "larmor/fitting/solution.cpp",
        "const Eigen::VectorXd rest = «block.col(columns_)» - block.leftCols(columns_) * x;",
        "0.5 * block.col(columns_)",
        "FitSolution.EveryMethodFindsTheLeastResidual",
    ),
    "shares_are_rounded_down": Mutant(
        "larmor/fitting/settings.cpp",
        "static_cast<Index>(value * static_cast<double>(all) + «0.5»)",
        "0.0",
        "FitGroup.SizesAreSharesOrNumbers",
    ),
}
