#include "larmor/study/models/spins/measurements/precision_note.hpp"

#include <cmath>
#include <cstdio>

namespace larmor::study {

std::string precision_note(const std::string& label, double error, Index replicas) {
  char words[160];
  std::snprintf(words, sizeof(words),
                "products in real space are off by %.1g of S(q) at most, statistics of %lld "
                "replica(s) by some %.1g",
                error, static_cast<long long>(replicas),
                std::sqrt(2 / static_cast<double>(replicas)));
  return label + ": " + words;
}

}  // namespace larmor::study
