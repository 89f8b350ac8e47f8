#include "larmor/study/kinds/kinds.hpp"

#include <tuple>

#include "larmor/study/kinds/spins/spin_matter.hpp"

namespace larmor::study {
namespace {

using Kinds = std::tuple<SpinMatter>;

}  // namespace

std::vector<const KindOfMatter*> kinds_of_the_program() {
  static const Kinds kinds;
  return std::apply([](const auto&... kind) { return std::vector<const KindOfMatter*>{&kind...}; },
                    kinds);
}

}  // namespace larmor::study
