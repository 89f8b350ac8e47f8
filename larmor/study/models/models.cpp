// The model kinds of the program: a new one is an entry here.

#include <tuple>

#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/models/atoms/atom_model_kind.hpp"
#include "larmor/study/models/discrete/discrete_model_kind.hpp"
#include "larmor/study/models/particles/particle_model_kind.hpp"
#include "larmor/study/models/phi4/phi4_model_kind.hpp"
#include "larmor/study/models/quantum/quantum_model_kind.hpp"
#include "larmor/study/models/spins/spin_model_kind.hpp"

namespace larmor::study {
namespace {

using Kinds = std::tuple<SpinModelKind, IsingModelKind, PottsModelKind, QuantumModelKind,
                         Phi4ModelKind, AtomModelKind, ParticleModelKind>;

}  // namespace

std::vector<const ModelKind*> program_model_kinds() {
  static const Kinds kinds;
  return std::apply([](const auto&... kind) { return std::vector<const ModelKind*>{&kind...}; },
                    kinds);
}

}  // namespace larmor::study
