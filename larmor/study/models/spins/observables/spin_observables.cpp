#include "larmor/study/models/spins/observables/spin_observables.hpp"

#include <tuple>

#include "larmor/core/error.hpp"
#include "larmor/study/models/spins/observables/energy_terms.hpp"
#include "larmor/study/models/spins/observables/spin_currents.hpp"
#include "larmor/study/models/spins/observables/spin_temperature.hpp"
#include "larmor/study/models/spins/observables/sublattices.hpp"
#include "larmor/study/models/spins/observables/topological_charge.hpp"

namespace larmor::study {
namespace {

/// A new observable is an entry here.
using SpinObservables =
    std::tuple<EnergyTerms, Sublattices, TopologicalCharge, SpinTemperature, SpinCurrents>;

template <class Type>
SpinObservable entry() {
  SpinObservable made{Type::name, Type::doc};
  if constexpr (requires { Type::reads_tables; }) made.reads_tables = Type::reads_tables;
  if constexpr (requires { Type::of_relaxed_spins; })
    made.of_relaxed_spins = Type::of_relaxed_spins;
  if constexpr (requires { Type::counts_hamiltonian_only; })
    made.counts_hamiltonian_only = Type::counts_hamiltonian_only;
  if constexpr (requires { &Type::validate; }) made.validate = Type::validate;
  made.numbers = Type::numbers;
  made.observables = Type::observables;
  return made;
}

template <class... Type>
std::vector<SpinObservable> entries(std::tuple<Type...>*) {
  return {entry<Type>()...};
}

}  // namespace

const std::vector<SpinObservable>& spin_observables() {
  static const std::vector<SpinObservable> all = entries(static_cast<SpinObservables*>(nullptr));
  return all;
}

const SpinObservable& spin_observable(const std::string& name) {
  for (const SpinObservable& observable : spin_observables())
    if (observable.name == name) return observable;
  throw InternalError("no observable is called " + name);
}

void require_observable(const SpinObservable& observable, const Study& study,
                        const lattice::Geometry& geometry, const SourcePosition& where) {
  if (observable.validate == nullptr) return;
  with_position(where, [&] { observable.validate(study, geometry); });
}

}  // namespace larmor::study
