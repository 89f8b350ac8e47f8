#pragma once
// The observables of spins that stages measure by their names.

#include <string>
#include <vector>

#include "larmor/study/models/spins/observables/spin_observable.hpp"

namespace larmor::study {

const std::vector<SpinObservable>& spin_observables();

/// @throws InternalError for an unknown name
const SpinObservable& spin_observable(const std::string& name);

/// @throws InputError at `where` for a property that the system does not have
void require_observable(const SpinObservable& observable, const Study& study,
                        const lattice::Geometry& geometry, const SourcePosition& where);

}  // namespace larmor::study
