#include "larmor/study/stages/minimisation.hpp"

namespace larmor::study {

Minimised minimised_on_all_ranks(const Ranks& ranks, Index steps, bool done) {
  const std::vector<double> of_all =
      ranks.maximum({static_cast<double>(steps), done ? 0.0 : 1.0}, nullptr, {});
  return {static_cast<Index>(of_all[0]), of_all[1] == 0};
}

std::string unconverged_text(Index unconverged, Index replicas, const std::string& subject) {
  if (replicas == 1) return subject + " have";
  return std::to_string(unconverged) + " of " + std::to_string(replicas) + " replicas have";
}

}  // namespace larmor::study
