#pragma once
// What the stages share that relax spins by a minimiser.

#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/study/landscape_tables.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// @param share default tolerance in units of the largest |dH/de|; @param field largest |mu_B B|
/// beside the model's fields, which counts to it
spins::MinimiserSettings minimiser_settings(const MinimiserKeys& keys, double share,
                                            const spins::Model& model, double field);

/// Bytes of the minimiser of a study.
double relaxing_bytes(const MinimiserKeys& keys, const Study& study,
                      const lattice::Geometry& geometry);

/// Mean over replicas and its standard error.
Estimate mean_of_replicas(const std::vector<double>& values);

/// Appends averages NAME, the mean length, and NAME_x, NAME_y, NAME_z. @param vectors [replicas, 3]
void append_vector_means(ResultsGroup& results, const std::string& name,
                         const std::vector<double>& vectors, const std::string& unit);

/// "2 of 8 replicas", "the spins": what a note says has not converged.
std::string unconverged_words(Index unconverged, Index replicas);

/// Spin updates of `steps` steps of all replicas.
inline double work_of(const Simulation& simulation, Index steps) {
  return static_cast<double>(steps) * static_cast<double>(simulation.model.sites()) *
         static_cast<double>(simulation.study.replicas);
}

}  // namespace larmor::study
