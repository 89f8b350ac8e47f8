#include "larmor/study/run/verify.hpp"

#include <cmath>

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

bool Comparison::passed() const { return std::abs(deviation()) < (statistical ? 3.89 : 1.0); }

std::vector<Comparison> verify(const Device& device, Index samples,
                               const std::function<void(const Comparison&)>& report) {
  std::vector<Comparison> all;
  for (const ModelKind* kind : model_kinds())
    for (const ExactResult& result : kind->exact_results()) {
      const Measured measured = result.measure(device, samples);
      all.push_back(
          {result.name, result.exact, measured.value, measured.error, result.statistical});
      report(all.back());
    }
  return all;
}

}  // namespace larmor::study
