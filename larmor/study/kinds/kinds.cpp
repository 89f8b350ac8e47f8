// The kinds of matter of the program: a new one is a word here.

#include <tuple>

#include "larmor/study/kinds/atoms/atom_matter.hpp"
#include "larmor/study/kinds/discrete/discrete_matter.hpp"
#include "larmor/study/kinds/phi4/phi4_matter.hpp"
#include "larmor/study/kinds/spins/spin_matter.hpp"
#include "larmor/study/matter/matter.hpp"

namespace larmor::study {
namespace {

using Kinds = std::tuple<SpinMatter, IsingMatter, PottsMatter, Phi4Matter, AtomMatter>;

}  // namespace

std::vector<const KindOfMatter*> kinds_of_the_program() {
  static const Kinds kinds;
  return std::apply([](const auto&... kind) { return std::vector<const KindOfMatter*>{&kind...}; },
                    kinds);
}

}  // namespace larmor::study
