#include "larmor/study/models/spins/measurements/correlation_results.hpp"

#include <cmath>
#include <cstdio>

#include "larmor/core/maths/vectors.hpp"

namespace larmor::study {

void write_wave_vectors(ResultsGroup& results, const std::string& group,
                        const correlations::QList& q, const std::string& inverse_length) {
  const Index Q = q.size();
  std::vector<double> index;
  for (Index i = 0; i < Q; ++i) index.push_back(static_cast<double>(i));
  results.write(group + "q_index", index, {Q}, "");
  results.write(group + "q", flattened(q.q), {Q, 3}, "reciprocal-lattice units");
  results.write(group + "q_cartesian", flattened(q.cartesian), {Q, 3}, inverse_length);
  results.write(group + "path_distance", q.distance, {Q}, inverse_length);
  if (q.grid[0] > 0) {
    const std::vector<double> extents(q.grid.begin(), q.grid.end());
    results.write(group + "grid", extents, {3}, "");
  }
  if (q.label_text.empty()) return;
  const std::vector<double> labels(q.label_index.begin(), q.label_index.end());
  results.write(group + "label_index", labels, {static_cast<Index>(labels.size())}, "");
  results.write_strings(group + "label_text", q.label_text);
}

std::string precision_note(const std::string& label, double error, Index replicas) {
  char words[160];
  std::snprintf(words, sizeof(words),
                "products in real space give S(q) a relative error of %.1g at most; the scatter of "
                "%lld replica(s) gives about %.1g",
                error, static_cast<long long>(replicas),
                std::sqrt(2 / static_cast<double>(replicas)));
  return label + ": " + words;
}

}  // namespace larmor::study
