#pragma once
// Writes wave vectors to the results file.

#include "larmor/correlations/fourier/q_list.hpp"
#include "larmor/study/model_kind/results_group.hpp"

namespace larmor::study {

/// q_index, q, q_cartesian, path_distance; for paths label_index and label_text; for grids grid.
/// @param group that of the stage, with a slash at its end
/// @param inverse_length unit of q_cartesian
void write_wave_vectors(ResultsGroup& results, const std::string& group,
                        const correlations::QList& q, const std::string& inverse_length);

}  // namespace larmor::study
