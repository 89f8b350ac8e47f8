#pragma once
// Results of correlations: wave vectors, complex numbers as real numbers, and the error of sums
// over pairs that a GPU computes from split numbers.

#include <complex>
#include <string>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/correlations/fourier/q_list.hpp"
#include "larmor/study/model_kind/results_group.hpp"

namespace larmor::study {

/// q_index, q, q_cartesian, path_distance; for paths label_index and label_text; for grids grid.
/// @param group that of the stage, with a slash at its end
/// @param inverse_length unit of q_cartesian
void write_wave_vectors(ResultsGroup& results, const std::string& group,
                        const correlations::QList& q, const std::string& inverse_length);

/// Complex numbers as real numbers: (.., re im).
inline std::vector<double> complex_parts(const std::vector<std::complex<double>>& numbers) {
  std::vector<double> parts;
  parts.reserve(2 * numbers.size());
  for (const std::complex<double>& z : numbers) parts.insert(parts.end(), {z.real(), z.imag()});
  return parts;
}

/// A note that compares the error of split numbers with the scatter of replicas.
/// @param label name of the results @param error relative error of S(q)
std::string precision_note(const std::string& label, double error, Index replicas);

}  // namespace larmor::study
